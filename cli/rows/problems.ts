/** What is wrong in a file, and where. */
export interface Problem {
  readonly line: number;
  readonly problem: string;
}

/** How much is wrong in a file, and the first of it: a file of another kind has nothing else, millions of times. */
export interface Problems {
  readonly count: number;
  readonly first: readonly Problem[];
}

export const KEPT = 1_000;

/** Takes problems one by one, and keeps as many as anyone would read. */
export function collectProblems() {
  const first: Problem[] = [];
  let count = 0;
  return {
    add: (line: number, problem: string) => {
      count++;
      if (first.length < KEPT) first.push({ line, problem });
    },
    all: (): Problems => ({ count, first }),
  };
}

/** Those of two looks at the same file, in the order of their lines. */
export const withMore = ({ count, first }: Problems, more: readonly Problem[]): Problems => ({
  count: count + more.length,
  first: [...first, ...more].toSorted((a, b) => a.line - b.line).slice(0, KEPT),
});
