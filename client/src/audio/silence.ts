// A silent media element next to the engine's sound. Browsers give media keys and the lock screen
// only to pages with a playing media element; a Web Audio context alone does not count.

const rate = 8_000;
/** Shorter sounds count as notifications and get no controls. */
const seconds = 10;
const headerBytes = 44;

/** Makes a silent WAV file: 8 bits, one channel. */
export function silentWAV(): ArrayBuffer {
  const frames = rate * seconds;
  const bytes = new ArrayBuffer(headerBytes + frames);
  const view = new DataView(bytes);
  const text = (at: number, letters: string): void => {
    [...letters].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  };
  text(0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + frames, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, 'data');
  view.setUint32(40, frames, true);
  // In 8 bits, silence is 128 and not zero.
  new Uint8Array(bytes, headerBytes).fill(128);
  return bytes;
}

/** A silent sound that can be started in a gesture, and stopped. */
export class Silence {
  private element: HTMLAudioElement | null = null;
  private url = '';

  play(): void {
    if (!this.element) {
      this.url = URL.createObjectURL(new Blob([silentWAV()], { type: 'audio/wav' }));
      this.element = new Audio(this.url);
      this.element.loop = true;
    }
    // Refused, or stopped before it started: only the media keys are missing then.
    this.element.play().catch(() => undefined);
  }

  pause(): void {
    this.element?.pause();
  }

  close(): void {
    this.pause();
    this.element?.removeAttribute('src');
    if (this.url) URL.revokeObjectURL(this.url);
    this.element = null;
    this.url = '';
  }
}
