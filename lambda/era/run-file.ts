import { getEraSums } from '../store/era-sums.ts';
import type { EraFileName } from './file-name.ts';
import { UnreadableError } from './random-access.ts';
import { type FileEnd, type Settling, settleEraFile } from './settle-file.ts';
import type { EraSource } from './source.ts';
import { isSummed, type SumRun, sumEraFile } from './sum-file.ts';

/** The input of a run over one file. */
export interface FileRun extends Settling, Pick<SumRun, 'signal' | 'onBlocks'> {
  readonly source: EraSource;
  readonly name: EraFileName;
}

/** The end of a run, or the reason why the file could not be read. */
export type FileRunEnd = FileEnd | { readonly kind: 'unreadable'; readonly reason: string };

/** Proves and sums a file from where the last run over it stopped, and settles it. */
export async function runEraFile(run: FileRun): Promise<FileRunEnd> {
  const { chain, store, source, name, clock, signal } = run;
  const before = await getEraSums(store, name.name);
  // A refused file starts over: it may have been repaired.
  const begun = before.sums?.problem === undefined ? before.sums : undefined;
  if (begun && isSummed(begun)) return settleEraFile(run, before, begun);
  try {
    await using file = disposable(await source.open(name, signal));
    const progress = run.onBlocks && { onBlocks: run.onBlocks };
    const sums = await sumEraFile({
      ...{ chain, name, file, clock, signal, begun, host: source.host, ...progress },
    });
    return await settleEraFile(run, before, sums);
  } catch (error) {
    if (error instanceof UnreadableError) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

const disposable = <T extends { readonly close: () => Promise<void> }>(file: T) => ({
  ...file,
  [Symbol.asyncDispose]: file.close,
});
