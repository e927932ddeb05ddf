import type { PricedAttributes } from '../store/attributes/day-attributes.ts';
import { commit } from '../store/chain/commit.ts';
import { noteUnsentEvent } from '../store/days/notes.ts';
import { amended, type DayVersion, isSameVersion, isStill, versionOf } from '../store/days/write-day.ts';
import { dayKey } from '../store/table/keys.ts';
import type { ChainStore } from '../store/table/table.ts';
import { readState } from './state.ts';

/** Stores the dollars of a day, or why it has none. Its revision stays. @returns false when another writer changed the day since */
export const setPrice = (
  store: ChainStore,
  of: DayVersion,
  { fees_usd, price, unpriced_reason }: PricedAttributes,
): Promise<boolean> =>
  commit(store, async (position) => {
    const { day, revision } = of;
    const state = await readState(store, day);
    if (state.kind !== 'final' || !isSameVersion(versionOf(store, state.item), of))
      return { writes: [], result: false };
    const { amendments } = amended(of);
    const event = noteUnsentEvent(store, { day, revision, is_priced: true, amendment: amendments, position });
    const put = { ...state.item, ...dayKey(store, day), fees_usd, price, unpriced_reason, amendments };
    return { writes: [{ put, condition: isStill(of) }, ...(price ? [event] : [])], result: true };
  });
