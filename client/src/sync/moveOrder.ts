// The order of moves that lie on counts; `Model` has the same rule.

/**
 * Returns moves, which come in the order of their positions, in their shown order: those with counts by their
 * beginnings, in the places that they take together. So order and counts never contradict each other, whatever two
 * devices have written.
 */
export function orderedByCounts<T extends { readonly [field: string]: unknown }>(moves: readonly T[]): T[] {
  const start = (move: T): number => Number(move['startCount']);
  // Stable, so that moves that begin together keep their order.
  const counted = moves.filter(isCounted).sort((a, b) => start(a) - start(b));
  return moves.map((move) => (isCounted(move) ? counted.shift() ?? move : move));
}

function isCounted(move: { readonly [field: string]: unknown }): boolean {
  return typeof move['startCount'] === 'number';
}
