// Compares two files byte by byte, in pieces, so that long songs need little memory.

const pieceBytes = 1_000_000;

/** Returns whether two files have the same content. */
export async function haveSameContent(one: Blob, other: Blob): Promise<boolean> {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (let start = 0; start < one.size; start += pieceBytes) {
    const [left, right] = await Promise.all([
      one.slice(start, start + pieceBytes).arrayBuffer(),
      other.slice(start, start + pieceBytes).arrayBuffer(),
    ]);
    if (!sameBytes(new Uint8Array(left), new Uint8Array(right))) return false;
  }
  return true;
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) {
    if (left[index] !== right[index]) return false;
  }
  return true;
}
