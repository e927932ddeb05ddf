import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { periodOf, slotAt } from '#core/finality/sync-committee/network.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getFinality } from '#core/store/chain/finality-state.ts';
import { getFinalDay, listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { beaconChainOf, serveBeacon } from '#test/support/finality/light-client-server.ts';
import {
  simulatedGnosis as chain,
  gnosisNetwork as network,
} from '#test/support/finality/simulated-chains.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Days of Gnosis, whose light client follows a generated committee in the real network: its genesis, slots, epochs, periods and forks. */

const HOUR = 3_600;
/** Every two hours from an hour before the first day on. */
const times = Array.from({ length: 40 }, (_, index) => at(0, (2 * index - 1) * HOUR));
const blocks = sampleChain(times);
const NEXT_DAY = 13;
const MINUTES_LATER = 5 * 60_000;

const table = useMemoryTable();
const store = () => chainStore(table(), chain);

let final = 0;
const truth = beaconChainOf(blocks, () => final, 'committee', network);

async function checkpointAt(number: number, beacon = truth) {
  final = number;
  return beacon.checkpoint();
}

/** Runs the ingest soon after a block has become final, and requires proof. */
async function runAt(number: number, checkpoint: string, beacon = truth) {
  final = number;
  await using node = await startJsonRpcServer(answerFrom(blocks, { chainId: chain.id, finalized: number }));
  await using served = await serveBeacon(beacon);
  const clock = fastClock(1, (times[number] ?? 0) * 1_000 + MINUTES_LATER);
  const proof = { servers: [served.server], checkpoint };
  return await runIngest(table(), [node], { chain, clock, proof, finality: 'proven' });
}

test('a day of Gnosis becomes proven by sync committees of its own network, of three periods', async () => {
  const checkpoint = await checkpointAt(1);
  for (const number of [1, 5, 9, NEXT_DAY]) await runAt(number, checkpoint);
  expect(await listFinalDays(store(), '0000-01-01')).toEqual([DAY]);
  const slot = slotAt(network, times[NEXT_DAY] ?? 0);
  expect(await getFinalDay(store(), DAY)).toMatchObject({ finality: { kind: 'sync committee', slot } });
  expect(periodOf(network, slot) - periodOf(network, slotAt(network, times[1] ?? 0))).toBe(2);
});

test.each([
  ["Ethereum's validators", { genesisValidatorsRoot: ETHEREUM_BEACON.genesisValidatorsRoot }],
  [
    "Ethereum's forks",
    { forks: network.forks.map((fork, index) => ({ ...fork, version: `0x0${index + 3}000000` })) },
  ],
])('signatures that are valid for %s prove nothing on Gnosis', async (_, change) => {
  const foreign = beaconChainOf(blocks, () => final, 'committee', { ...network, ...change });
  await runAt(5, await checkpointAt(4, foreign), foreign);
  const reason = expect.stringContaining('its signature is not that of its committee');
  expect(await listConflicts(store())).toMatchObject([{ about: 'finality', reason }]);
  expect(await getFinality(store())).toMatchObject({ state: { block: { number: 4 } } });
});

test('after an outage of more than ten hours, proofs continue only from a newer checkpoint', async () => {
  const old = await checkpointAt(1);
  await runAt(2, old);
  await runAt(8, old);
  const reason = 'The checkpoint is 14 hours old, and only 10 are safe. Configure a newer one';
  expect(await listConflicts(store())).toMatchObject([{ about: 'finality', reason }]);
  expect(await getFinality(store())).toMatchObject({ state: { block: { number: 2 } } });
  await runAt(8, await checkpointAt(7));
  expect(await getFinality(store())).toMatchObject({ state: { block: { number: 8 } } });
});
