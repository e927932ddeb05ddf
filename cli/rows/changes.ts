import type { DayFigures } from '../../lambda/store/days.ts';
import { differingParts, partsOfDay } from '../verify/compare.ts';

/** What other figures of a day say in another way: `transaction_count 3 → 4, first_block none → 8 0x2c6a…`. */
export function changesOf(old: DayFigures, now: DayFigures): string {
  const [a, b] = [partsOfDay(old), partsOfDay(now)];
  const changes = differingParts(a, b).map((part) => `${part} ${shown(a[part])} → ${shown(b[part])}`);
  return changes.join(', ') || 'the same figures, otherwise come about';
}

function shown(part: DayFigures['first'] | number | bigint): string {
  if (part === undefined) return 'none';
  return typeof part === 'object' ? `${part.number} ${part.hash.slice(0, 10)}…` : String(part);
}
