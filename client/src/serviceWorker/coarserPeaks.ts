// Derives a waveform of any coarser resolution, or a range of one, from the stored one. The result
// equals the server's answer byte by byte. Pure.

const headerBytes = 24;
const framesPerPixelAt = 12;
const lengthAt = 16;
/** The server refuses larger values. */
const mostFramesPerPixel = 1_048_576;

/**
 * Reduces a .dat of the whole track to pairs of `framesPerPixel` frames. Null if that is not
 * possible: `framesPerPixel` must be a multiple of the stored one, and borders multiples of it.
 */
export function coarserPeaks(
  kept: ArrayBuffer, framesPerPixel: number, start: number | null, end: number | null,
): ArrayBuffer | null {
  if (kept.byteLength < headerBytes || framesPerPixel > mostFramesPerPixel) return null;
  const header = new DataView(kept, 0, headerBytes);
  const step = framesPerPixel / header.getInt32(framesPerPixelAt, true);
  const finePairs = header.getUint32(lengthAt, true);
  if (!Number.isInteger(step) || step < 1 || kept.byteLength < headerBytes + finePairs * 2) return null;
  const first = (start ?? 0) / framesPerPixel;
  const last = end === null ? Math.ceil(finePairs / step) : end / framesPerPixel;
  if (!Number.isInteger(first) || !Number.isInteger(last) || first >= last) return null;
  if (last > Math.ceil(finePairs / step)) return null;

  const made = new ArrayBuffer(headerBytes + (last - first) * 2);
  new Uint8Array(made).set(new Uint8Array(kept, 0, headerBytes));
  const view = new DataView(made);
  view.setInt32(framesPerPixelAt, framesPerPixel, true);
  view.setUint32(lengthAt, last - first, true);
  const fine = new Int8Array(kept, headerBytes, finePairs * 2);
  const coarse = new Int8Array(made, headerBytes);
  for (let pair = first; pair < last; pair += 1) {
    let lowest = 127;
    let highest = -128;
    const until = Math.min((pair + 1) * step, finePairs);
    for (let at = pair * step; at < until; at += 1) {
      lowest = Math.min(lowest, fine[at * 2] ?? 0);
      highest = Math.max(highest, fine[at * 2 + 1] ?? 0);
    }
    coarse[(pair - first) * 2] = lowest;
    coarse[(pair - first) * 2 + 1] = highest;
  }
  return made;
}
