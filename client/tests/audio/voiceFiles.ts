// Voice files, and a network that answers with them.

/** A chunk of a WAV file. */
function chunk(name: string, ...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]): number[] {
  const content = numbers.flatMap(([value, bytes]) => (
    Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255)));
  return [...new TextEncoder().encode(name), ...sized(content.length), ...content];
}

const sized = (size: number): number[] => [size & 255, (size >> 8) & 255, 0, 0];

/** A voice of recordings with so many samples and such attacks. */
export function voiceFile(recordings: readonly (readonly [frames: number, attack: number])[]): ArrayBuffer {
  let start = 0;
  const points = recordings.flatMap(([frames, attack]) => {
    const pair = [start, start + attack];
    start += frames;
    return pair;
  });
  const cues = points.flatMap((frame, index) => (
    [index + 1, frame, 0, 0, 0, frame].map((value): [number, 4] => [value, 4])));
  const samples = Array.from({ length: start }, (_, index): [number, 2] => [index - 3, 2]);
  const body = [
    ...chunk('fmt ', [1, 2], [1, 2], [24_000, 4], [48_000, 4], [2, 2], [16, 2]),
    ...chunk('cue ', [points.length, 4], ...cues), ...chunk('data', ...samples)];
  return Uint8Array.from([
    ...new TextEncoder().encode('RIFF'), ...sized(body.length + 4), ...new TextEncoder().encode('WAVE'), ...body]).buffer;
}

/** Answers requests for voices; `answers` are taken in turn, and each request waits for its own. */
export function network() {
  const asked: string[] = [];
  const waiting: ((file: ArrayBuffer | null) => void)[] = [];
  globalThis.fetch = (address: RequestInfo | URL) => {
    asked.push(String(address));
    return new Promise((resolve) => {
      waiting.push((file) => resolve(new Response(file, { status: file ? 200 : 503 })));
    });
  };
  const answer = async (file: ArrayBuffer | null): Promise<void> => {
    waiting.shift()?.(file);
    // What waits for the answer runs before the next timer.
    await new Promise((resolve) => { setTimeout(resolve); });
  };
  return { asked, answer };
}
