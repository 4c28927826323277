// Harnesses for files that a user picks or the client stores: labels, waveforms, a certificate.

import { readLabels, writeLabels } from '../../src/clipper/model/labels';
import { certificateBytes } from '../../src/devices/fingerprint';
import { coarserPeaks } from '../../src/serviceWorker/coarserPeaks';
import { parsePeaks, type Peaks } from '../../src/ui/peaks';
import { holds, same, some, type Harness, type Input } from './harness';

const labels: Harness<string> = {
  name: 'labels',
  promise: 'labels are whole frames in order on one line each, and are written as they were read',
  seeds: [
    '0.000000\t1.000000\tIntro\n1.000000\t2.500000\tسماء\n', '\uFEFF1,5\t2,5\tA\r\n3\tB\r4',
    '1.5\t2.5\tA\n\\\t100.000000\t4000.000000\n3\t3\tB\n', '43200.999999999\t50000\t', '1\t2\ta\tb\x07c\u2028\n',
    '5\t4\tB',
  ],
  words: ['\t', '\r\n', '\uFEFF', '43200', '999999', '\\', '\u0301', '\x85', '0.000021', '.', ','],
  shortRounds: 2_500,
  trial: (text) => {
    const { labels: read, problems } = readLabels(text);
    for (const { startFrame, endFrame, title } of read) {
      holds(Number.isSafeInteger(startFrame) && Number.isSafeInteger(endFrame), `from ${startFrame} to ${endFrame}`);
      holds(0 <= startFrame && startFrame <= endFrame && endFrame <= 1_000_000 * 48_000, `${startFrame}, ${endFrame}`);
      holds(!/[\x00-\x1f\x7f-\x9f]/.test(title) && title === title.trim(), `a title is ${JSON.stringify(title)}`);
    }
    const all = text.replace(/^\uFEFF/, '').split(/[\r\n]+/);
    const meant = all.filter((line) => !line.startsWith('\\') && line.trim() !== '').length;
    holds(read.length + problems.length >= Math.min(meant, 1) && read.length <= meant, `${read.length} of ${meant}`);
    holds(problems.every((problem) => /^[A-Z].*\.$/.test(problem)), problems.join());
    const again = readLabels(writeLabels(read));
    same(again, { labels: read, problems: [] }, 'written and read again, the labels differ');
    return read.length === 0 ? '' : `${some(read.length)} labels, ${some(problems.length)} problems`;
  },
};

/** Writes a waveform file: version, flags, rate, frames per pixel, pixels, channels, pairs. */
function dat(framesPerPixel: number, pairs: readonly number[], header: readonly number[] = []): Uint8Array {
  const data = new Uint8Array(24 + pairs.length);
  const view = new DataView(data.buffer);
  [2, 1, 48_000, framesPerPixel, pairs.length / 2, 1].forEach((value, at) => {
    view.setInt32(at * 4, header[at] ?? value, true);
  });
  pairs.forEach((value, at) => view.setInt8(24 + at, value));
  return data;
}

/** Parses a waveform number by number, as a reference. */
function slowly(bytes: Uint8Array, framesPerPixel: number): number[] {
  const view = new DataView(bytes.buffer);
  const step = framesPerPixel / view.getInt32(12, true);
  const made: number[] = [];
  const pixels = view.getUint32(16, true);
  for (let first = 0; first < pixels; first += step) {
    const lowest: number[] = [];
    const highest: number[] = [];
    for (let at = first; at < Math.min(first + step, pixels); at += 1) {
      lowest.push(view.getInt8(24 + at * 2));
      highest.push(view.getInt8(25 + at * 2));
    }
    made.push(Math.min(...lowest), Math.max(...highest));
  }
  return made;
}

/** Returns the result of `parsePeaks`, or null if it throws. */
function peaksIn(data: ArrayBuffer): Peaks | null {
  try {
    return parsePeaks(data);
  } catch (failure) {
    holds(failure instanceof Error && failure.constructor === Error && failure.message.endsWith('.'), String(failure));
    return null;
  }
}

const peaks: Harness<Uint8Array> = {
  name: 'peaks',
  promise: 'a waveform is what its file says, whole, in parts and in wider pixels',
  seeds: [
    dat(64, [-128, 127, 0, 0, -5, 5, -1, 9]), dat(64, []), dat(1, [1, 2]), dat(64, [1, 2], [2, 1, 0, 64, 2]),
    dat(256, Array.from({ length: 40 }, (_, at) => at * 7 % 256 - 128)), new Uint8Array(24),
  ],
  words: ['\x02\0\0\0', '\x01\0\0\0', '\x40\0\0\0', '\xff\xff\xff\xff', '\xff\xff\xff\x7f', '\0\0\0\x80'],
  trial: (bytes) => {
    const kept = bytes.slice().buffer as ArrayBuffer;
    const read = peaksIn(kept);
    if (read) {
      const view = new DataView(kept);
      const pixels = view.getUint32(16, true);
      holds(view.getInt32(0, true) === 2 && (view.getUint32(4, true) & 1) === 1, 'it is of another form');
      holds(view.getInt32(20, true) === 1, 'it has other channels');
      holds(read.framesPerPixel === view.getInt32(12, true) && read.framesPerPixel > 0, 'its pixels are wider');
      holds(read.pairs.length === 2 * Math.min(pixels, Math.floor((bytes.length - 24) / 2)), 'pixels are missing');
      holds(read.pairs.every((value, at) => value === view.getInt8(24 + at)), 'it reads others');
    }
    const base = bytes.length >= 24 ? new DataView(kept).getInt32(12, true) : 64;
    let made = 0;
    for (const factor of [1, 3, 2 ** 14, 2 ** 26]) {
      const framesPerPixel = base * factor;
      const whole = coarserPeaks(kept, framesPerPixel, null, null);
      if (!whole) continue;
      made += 1;
      same([...new Int8Array(whole, 24)], slowly(bytes, framesPerPixel), `${factor} times as wide it differs`);
      // The server refuses larger values.
      holds(framesPerPixel <= 1_048_576, `${framesPerPixel} frames are one pixel`);
      if (read) holds(parsePeaks(whole).framesPerPixel === framesPerPixel, 'it says of itself that it is another');
      const first = (bytes[bytes.length - 1] ?? 0) % 5;
      const part = coarserPeaks(kept, framesPerPixel, first * framesPerPixel, (first + 2) * framesPerPixel);
      const pixels = (whole.byteLength - 24) / 2;
      holds((part !== null) === first + 2 <= pixels, `a part of 2 at ${first} of ${pixels}`);
      if (!part) continue;
      const there = [...new Int8Array(whole, 24 + first * 2, 4)];
      same([...new Int8Array(part, 24)], there, 'a part is not a part of the whole');
    }
    return read || made > 0 ? `${read ? some(read.pairs.length) : 'not'} read, ${made} made` : '';
  },
};

const header = '-----BEGIN CERTIFICATE-----';
const footer = '-----END CERTIFICATE-----';

const certificate: Harness<Uint8Array> = {
  name: 'certificate',
  promise: 'a certificate is its bytes, or those of its text',
  seeds: [
    `${header}\nMIIB\nAgM=\n${footer}\n`, `${header}\r\n${'QUJD'.repeat(16)}\r\nRA==\r\n${footer}`,
    `text\n${header}MA==${footer}x`, '0\x82\x01\x02\x03', header + footer,
  ].map((text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))),
  words: [header, footer, '\r\n', '=', '==', 'MIIB', '/', '+', '-', '\x80', ' '],
  trial: (bytes) => {
    let read: Uint8Array;
    try {
      read = certificateBytes(bytes);
    } catch (failure) {
      // The text is no base64, so nothing is shown.
      holds(failure instanceof DOMException && failure.name === 'InvalidCharacterError', String(failure));
      return '';
    }
    if (read === bytes) return 'bytes';
    const text = new TextDecoder().decode(bytes);
    const body = text.slice(text.indexOf(header) + header.length).split(footer)[0] ?? '';
    const written = btoa(Array.from(read, (byte) => String.fromCharCode(byte)).join(''));
    const plain = (each: string): string => each.replace(/[\s=]+/g, '');
    // The bits after the last byte can have any value.
    same(plain(written).slice(0, -1), plain(body).slice(0, -1), 'it is written as another');
    return `text of ${some(read.length)}`;
  },
};

/** All harnesses of files. */
export const files = [labels, peaks, certificate] as unknown as readonly Harness<Input>[];
