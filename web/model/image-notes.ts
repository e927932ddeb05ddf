import { chartNotes } from './captions.ts';
import { coverageText } from './coverage.ts';
import { chainLabel } from './labels.ts';
import type { Shown } from './shown.ts';

/** Returns the lines below an image: its source and time, evidence, gaps and notes. */
export function imageNotes(shown: Shown, source: string, now: Date): string[] {
  const rows = shown.chains.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.state === 'figure' ? [cell.row] : [])),
  );
  const count = (kind: 'checked' | 'archived') => rows.filter(({ evidence }) => evidence === kind).length;
  const [checked, archived] = [count('checked'), count('archived')];
  const weaker = [
    ...(checked > 0 ? [`${checked} passed consistency checks only`] : []),
    ...(archived > 0 ? [`${archived} come from an audited archive`] : []),
  ];
  const evidence =
    weaker.length === 0
      ? `All ${rows.length} figures are proven from the hash of a finalized block.`
      : `${rows.length - checked - archived} of ${rows.length} figures are proven from the hash of a finalized block; ${weaker.join('; ')}.`;
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
