/** Typing errors after which a word counts as another one: one for short words, two for others. */
const MAX_EDITS = 2;
const SHORT = 4;

/** Returns the known word with the fewest characters to insert, delete, replace or swap, in any case; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [found] = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= MAX_EDITS)
    .map((candidate) => ({ candidate, edits: countEdits(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= (candidate.length <= SHORT ? 1 : MAX_EDITS))
    .sort((a, b) => a.edits - b.edits);
  return found?.candidate;
}

/** Counts edits as the optimal string alignment distance does. */
export function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = at(last, column - 1) + (same ? 0 : 1);
      const insertedOrDeleted = Math.min(at(last, column), at(next, column - 1)) + 1;
      const afterSwap = swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, insertedOrDeleted, afterSwap));
    }
    [beforeLast, last] = [last, next];
  }
  return last.at(-1) as number;
}

const at = (row: readonly number[], column: number): number => row[column] as number;
