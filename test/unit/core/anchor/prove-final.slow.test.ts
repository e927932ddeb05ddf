import type { Network } from '#core/anchor/network.ts';
import { proveFinal } from '#core/anchor/prove-final.ts';
import { withGloas } from '#core/chains/finality-rules.ts';
import { dueConflicts } from '#core/rows/chain-row.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getFinality } from '#core/store/chain/finality-state.ts';
import { chainStore } from '#core/store/table/table.ts';
import { steppedClock } from '#test/support/clock.ts';
import { beaconChainOf, type ServedBeacon, serveBeacon } from '#test/support/finality/light-client-server.ts';
import { simulatedEthereum as chain } from '#test/support/finality/simulated-chains.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table } = useMemoryStore('ETHEREUM');
const store = () => chainStore(table(), chain);

const EVERY = 6 * 3_600;
const HOUR_MS = 3_600_000;
const times = Array.from({ length: 120 }, (_, index) => at(0, index * EVERY));
const blocks = sampleChain(times);

let final = 4;
const truth = beaconChainOf(blocks, () => final);
let beacon: ServedBeacon;
beforeEach(async () => {
  final = 4;
  beacon = await serveBeacon(truth);
});
afterEach(() => beacon[Symbol.asyncDispose]());

const timeOf = (number: number) => (times[number] ?? 0) * 1_000;
const MINUTES_LATER = 15 * 60_000;

interface Given {
  /** Milliseconds since 1970; by default soon after the final block. */
  readonly now?: number;
  readonly checkpoint?: string | undefined;
  /** True when no light-client server answers. */
  readonly isDown?: boolean;
  readonly isProofRequired?: boolean;
  /** True for a command or a backfill. */
  readonly isCommand?: boolean;
  /** By default of the chain without Gloas. */
  readonly from?: ServedBeacon;
  readonly rules?: Pick<Network, 'chain' | 'hosts'>;
}

let first: string | undefined;
beforeAll(async () => {
  first = await truth.checkpoint();
});

async function prove(given: Given = {}) {
  const { now = timeOf(final) + MINUTES_LATER, isProofRequired = false } = given;
  const { checkpoint = first } = given;
  const context = requestContextWith({ clock: steppedClock(now) });
  // No host is asked: before Gloas, the beacon blocks name the number of their block.
  const { rules = { chain, hosts: [] }, from = beacon } = given;
  const network: Network = { ...rules, evidence: 'proven', quorum: 1, isProofRequired, context };
  const servers = given.isDown ? [] : [from.server];
  return proveFinal(network, store(), given.isCommand ? undefined : { servers, checkpoint });
}
const proven = (number: number) =>
  ({ kind: 'proven', number, hash: blocks[number]?.header.hash, proof: { kind: 'sync committee' } }) as const;
const openConflicts = async (now: number) =>
  dueConflicts(await listConflicts(store()), now).map(({ about, reason }) => [about, reason]);

test('the newest proven block counts, and is stored for runs that ask no server', async () => {
  expect(await prove()).toMatchObject(proven(4));
  final = 6;
  expect(await prove()).toMatchObject(proven(6));
  beacon.calls.splice(0);
  expect(await prove({ isCommand: true })).toMatchObject(proven(6));
  expect(beacon.calls).toEqual([]);
  expect(await getFinality(store())).toMatchObject({ checkpoint: first, state: { block: { number: 6 } } });
});

test('a chain without such proofs, and one that never was proven, is left to its hosts', async () => {
  expect(await prove({ isDown: true })).toBeUndefined();
  expect(await prove({ isCommand: true })).toBeUndefined();
});

test('since Gloas, a proven block counts once a host has it, and until then the one before it', async () => {
  const { finality } = chain;
  if (finality?.kind !== 'sync committee') throw new Error('Ethereum has one');
  const network = withGloas(finality.network, 0, finality.gloas.version);
  const gloas = beaconChainOf(blocks, () => final, 'gloas', network);
  await using from = await serveBeacon(gloas);
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const host = { name: 'a.test', upstreams: upstreamsOf(chain, [node]), head: undefined };
  const checkpoint = await gloas.checkpoint();
  const proveWith = (hosts: Network['hosts']) =>
    prove({ from, checkpoint, rules: { chain: { ...chain, finality: { ...finality, network } }, hosts } });
  expect(await proveWith([])).toBeUndefined();
  expect((await listConflicts(store())).map(({ reason }) => reason)).toEqual([
    'No endpoint has the proven block',
  ]);
  expect(await proveWith([host])).toMatchObject(proven(4));
  final = 6;
  expect(await proveWith([])).toMatchObject(proven(4));
  expect(await proveWith([host])).toMatchObject(proven(6));
});

describe('while nothing new is proven', () => {
  test('the last proven block counts for 24 hours, then the hosts', async () => {
    await prove();
    const provenAfter = (hours: number) => prove({ isDown: true, now: timeOf(4) + hours * HOUR_MS });
    expect(await provenAfter(23)).toMatchObject(proven(4));
    expect(await provenAfter(25)).toBeUndefined();
    final = 10;
    expect(await prove()).toMatchObject(proven(10));
  });

  test('a stage that requires proof waits, however long', async () => {
    const isProofRequired = true;
    expect(await prove({ isProofRequired, isDown: true })).toMatchObject({ kind: 'no endpoint' });
    expect(await prove({ isProofRequired, isCommand: true })).toMatchObject({ kind: 'no endpoint' });
    await prove({ isProofRequired });
    const now = timeOf(4) + 100 * HOUR_MS;
    expect(await prove({ isProofRequired, isDown: true, now })).toMatchObject(proven(4));
  });

  test('a conflict is open an hour after the newest proven block, until a proof comes', async () => {
    await prove();
    await prove({ isDown: true, now: timeOf(4) + HOUR_MS / 2 });
    expect(await openConflicts(timeOf(4) + HOUR_MS - 60_000)).toEqual([]);
    expect(await openConflicts(timeOf(4) + HOUR_MS)).toEqual([
      ['finality', expect.stringContaining('No light-client server is configured')],
    ]);
    final = 6;
    await prove();
    expect(await openConflicts(timeOf(6) + 9 * HOUR_MS)).toEqual([]);
  });
});

describe('a checkpoint', () => {
  test('is refused when it is older than the weak subjectivity period', async () => {
    const now = timeOf(4) + 15 * 24 * HOUR_MS;
    expect(await prove({ now })).toBeUndefined();
    expect(await openConflicts(now + HOUR_MS)).toEqual([
      ['finality', expect.stringContaining('The checkpoint is 15 days old, and only 14 are safe')],
    ]);
  });

  test('of the future is refused', async () => {
    final = 8;
    const checkpoint = await truth.checkpoint();
    const now = timeOf(4);
    expect(await prove({ now, checkpoint, isProofRequired: true })).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining('is of the future'),
    });
    expect(await getFinality(store())).toEqual({ sequence: 0 });
  });

  test.each([8, 14])(
    'that is configured later replaces what is proven, older or newer: block %d',
    async (number) => {
      await prove();
      final = 12;
      await prove();
      final = number;
      const checkpoint = await truth.checkpoint();
      final = 14;
      expect(await prove({ checkpoint })).toMatchObject(proven(14));
      expect((await getFinality(store())).checkpoint).toBe(checkpoint);
    },
  );

  test('that is configured later, and that no server has, ends the trust in what was proven before', async () => {
    await prove();
    final = 5;
    const checkpoint = `0x${'12'.repeat(32)}`;
    expect(await prove({ checkpoint })).toBeUndefined();
    expect(await prove({ checkpoint, isProofRequired: true })).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining(
        'The configured checkpoint is not in use. No server gave the bootstrap',
      ),
    });
    expect(await prove({ isCommand: true })).toBeUndefined();
  });

  test('on which servers agree counts only if the hosts have its block', async () => {
    await using second = await serveBeacon(truth);
    const servers = [beacon.server, second.server];
    const begin = async (answer: NodeAnswer) => {
      await using node = await startJsonRpcServer(answer);
      const [upstream] = upstreamsOf(chain, [node]);
      const context = requestContextWith({ clock: steppedClock(timeOf(4) + MINUTES_LATER) });
      const host = { name: 'a.test', upstreams: upstream ? [upstream] : [], head: undefined };
      const rules = { chain, evidence: 'proven', quorum: 1, isProofRequired: false } as const;
      return await proveFinal({ ...rules, context, hosts: [host] }, store(), {
        servers,
        checkpoint: undefined,
      });
    };
    expect(await begin(answerFrom(sampleChain(times, 'forged')))).toBeUndefined();
    expect(await begin(answerFrom(blocks))).toMatchObject(proven(4));
  });
});

test('of overlapping runs, each returns a proven block, and the state stays whole', async () => {
  await prove();
  final = 9;
  const runs = await Promise.all([prove(), prove(), prove()]);
  expect(runs).toMatchObject([proven(9), proven(9), proven(9)]);
  const { sequence, state } = await getFinality(store());
  expect([sequence, state?.block.number]).toEqual([expect.any(Number), 9]);
  expect(sequence).toBeLessThanOrEqual(5);
});
