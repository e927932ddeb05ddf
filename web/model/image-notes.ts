import { chartNotes } from './captions.ts';
import { coverageText } from './coverage.ts';
import { chainLabel } from './labels.ts';
import type { Shown } from './shown.ts';

/** Returns the lines below an image: its source and time, evidence, gaps and notes. */
export function imageNotes(shown: Shown, source: string, now: Date): string[] {
  const rows = shown.chains.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.state === 'figure' ? [cell.row] : [])),
  );
  const checked = rows.filter(({ evidence }) => evidence !== 'proven').length;
  const evidence =
    checked === 0
      ? `All ${rows.length} figures are proven from the hash of a finalized block.`
      : `${rows.length - checked} of ${rows.length} figures are proven from the hash of a finalized block; ${checked} are not.`;
  const gaps = shown.chains.flatMap((chain) => {
    const text = coverageText(shown, chain);
    return text === 'complete.' ? [] : [`${chainLabel(chain.chain)} ${text}`];
  });
  return [
    `Source: Chain Insights, ${source}, ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${evidence}`,
    gaps.length === 0 ? 'Every chain is complete.' : gaps.join(' '),
    chartNotes(shown),
  ];
}
