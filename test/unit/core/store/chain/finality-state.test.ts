import { getFinality, saveFinality } from '#core/store/chain/finality-state.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves that each run continues the proof of finality that it has read, and that no run overwrites a later one. */

const { store } = useMemoryStore('ETHEREUM');
const stateAt = (slot: number) =>
  ({
    kind: 'sync committee',
    ...{ slot, root: '0x12', block: { hash: '0x34', number: 7 }, committee: '0x56' },
  }) as const;
const save = async (sequence: number, slot: number) =>
  saveFinality(store(), { sequence }, '0xab', stateAt(slot));

test('a chain without a proof has saved it 0 times', async () => {
  expect(await getFinality(store())).toEqual({ sequence: 0 });
});

test('a state is read as it was saved, with the number of saves', async () => {
  for (const sequence of [0, 1, 2]) {
    const saved = { sequence: sequence + 1, checkpoint: '0xab', state: stateAt(10 + sequence) };
    expect(await save(sequence, 10 + sequence)).toEqual(saved);
    expect(await getFinality(store())).toEqual(saved);
  }
});

test('a run that continues an older state than the saved one saves nothing', async () => {
  await save(0, 10);
  await save(1, 11);
  for (const sequence of [0, 1]) expect(await save(sequence, 99)).toBeUndefined();
  expect(await getFinality(store())).toMatchObject({ sequence: 2, state: { slot: 11 } });
});
