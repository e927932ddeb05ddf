import { createServer } from 'node:http';
import type { Network } from '#core/anchor/network.ts';
import { proveFinal } from '#core/anchor/prove-final.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import {
  type BeaconFork,
  type BeaconNetwork,
  BSC_FINALITY,
  ETHEREUM_AGES,
} from '#core/chains/finality-rules.ts';
import { followHeaders, type HashedHeader, startFastFinality } from '#core/finality/fast-finality/bep126.ts';
import { namedValidators } from '#core/finality/fast-finality/extra-data.ts';
import { bootstrapAnswer } from '#core/finality/sync-committee/answers.ts';
import { timeOfSlot } from '#core/finality/sync-committee/network.ts';
import { headerRoot } from '#core/finality/sync-committee/ssz.ts';
import { toHex } from '#core/proof/encoding/hex.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { getFinality } from '#core/store/chain/finality-state.ts';
import { chainStore } from '#core/store/table/table.ts';
import { steppedClock } from '#test/support/clock.ts';
import { readBlockFile, readOtherJson } from '#test/support/generators/chains/real-nodes.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';
import { serve } from '#test/support/servers/serve.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* The finality of real clients on private networks: answers of Lodestar's light-client server, and votes of bsc's validators. */

const table = useMemoryTable();

/** @param now seconds since 1970 */
const hostsOf = (chain: Chain, now: number, hosts: Network['hosts'] = []): Network => ({
  chain,
  evidence: 'proven',
  quorum: 1,
  isProofRequired: true,
  context: requestContextWith({ clock: steppedClock(now * 1_000) }),
  hosts,
});

interface Genesis {
  readonly data: Readonly<Record<'genesis_time' | 'genesis_validators_root', string>>;
}

/** Lodestar's minimal preset, with slots of half an hour. */
function minimalNetwork(name: BeaconFork['name'], version: string): BeaconNetwork {
  const { data } = readOtherJson<Genesis>(`ethereum/${name}/genesis.json.gz`);
  return {
    genesisValidatorsRoot: data.genesis_validators_root,
    genesisTime: Number(data.genesis_time),
    secondsPerSlot: 1_800,
    slotsPerEpoch: 8,
    epochsPerPeriod: 8,
    committeeSize: 32,
    forks: [{ name, epoch: 0, version }],
  };
}

/**
 * Serves recorded answers as Lodestar does: it refuses a whole range of updates when one period has none yet.
 * @param files the bootstrap and the finality update
 */
async function serveLodestar(fork: string, [bootstrap, finality]: readonly [string, string]) {
  const read = (name: string) => readOtherJson<unknown>(`ethereum/${fork}/${name}.json.gz`);
  const updates = read('updates-0-2') as readonly unknown[];
  const answers = new Map([
    [`bootstrap/${rootOf(read(bootstrap))}`, read(bootstrap)],
    ['finality_update', read(finality)],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const path = url.replace('/eth/v1/beacon/light_client/', '');
    const [, start, count] = /^updates\?start_period=(\d+)&count=(\d+)$/.exec(path) ?? [];
    const end = Number(start) + Number(count);
    response.statusCode = count && end > updates.length ? 500 : 200;
    const refusal = () => readOtherJson('ethereum/deneb/updates-500-period-missing.json.gz');
    const range = count && (end > updates.length ? refusal() : updates.slice(Number(start), end));
    response.end(JSON.stringify(range || answers.get(path)));
  });
  return serve(server);
}

const rootOf = (bootstrap: unknown) => toHex(headerRoot(bootstrapAnswer.parse(bootstrap).data.header.beacon));

test.each([
  ['deneb', '0x04000001', 'bootstrap-slot-24', 'finality_update-attested-40', 41, 24],
  ['deneb', '0x04000001', 'bootstrap-slot-24', 'finality_update-late', 153, 136],
  ['electra', '0x05000001', 'bootstrap-slot-16', 'finality_update', 99, 80],
  ['electra', '0x05000001', 'bootstrap-slot-40', 'finality_update', 99, 80],
] as const)(
  "Lodestar's answers under %s (%s), from %s to %s, prove at slot %i that block %i is final",
  async (fork, version, bootstrap, finality, slot, number) => {
    const network = minimalNetwork(fork, version);
    const chain: Chain = {
      ...chainOf('ETHEREUM'),
      finality: { kind: 'sync committee', network, ...ETHEREUM_AGES, publicServers: [] },
    };
    await using lodestar = await serveLodestar(fork, [bootstrap, finality]);
    const checkpoint = rootOf(readOtherJson(`ethereum/${fork}/${bootstrap}.json.gz`));
    const servers = [endpointOf(chain, lodestar.url)];
    const hosts = hostsOf(chain, timeOfSlot(network, slot));
    expect(await proveFinal(hosts, chainStore(table(), chain), { servers, checkpoint })).toMatchObject({
      kind: 'proven',
      number,
      proof: { kind: 'sync committee', slot: number },
    });
  },
);

describe("votes of bsc's validators", () => {
  const chain = chainOf('BSC');
  const blockAt = (number: number) => readBlockFile('bsc', number).json?.block as unknown as HashedHeader;
  const later = readOtherJson<readonly HashedHeader[]>('bsc/headers-2000-2035.json.gz');
  const epochBlock = blockAt(1_000);

  test('prove that a block is final, over an epoch block that changes the validators', async () => {
    const headers = new Map(
      [epochBlock, ...later].flatMap((one) => [
        [one.hash, one],
        [one.number, one],
      ]),
    );
    await using node = await startJsonRpcServer(({ params: [at] }) => ({
      result: headers.get(String(at)) ?? null,
    }));
    const [final, target] = later.filter(
      ({ number }) => Number(number) === 2_033 || Number(number) === 2_034,
    );
    const head = { number: 2_033, hash: '', parentHash: '', timestamp: 0 };
    const host = { name: node.host, upstreams: upstreamsOf(chain, [node]), head };
    const hosts = hostsOf(chain, Number(target?.timestamp), [host]);
    const store = chainStore(table(), chain);
    expect(await proveFinal(hosts, store, { servers: [], checkpoint: epochBlock.hash })).toEqual({
      kind: 'proven',
      number: 2_033,
      hash: final?.hash,
      proof: {
        kind: 'fast finality',
        source: { number: 2_033, hash: final?.hash },
        target: { number: 2_034, hash: target?.hash },
      },
    });
    const { state } = await getFinality(store);
    expect(state).toMatchObject({ sets: [{ epochBlock: 1_000 }, { epochBlock: 2_000, from: 2_032 }] });
  });

  test.each([
    [1_001, 999],
    [1_200, 1_198],
  ])('in block %i make block %i final', (number, final) => {
    const begun = startFastFinality(BSC_FINALITY, epochBlock);
    if (begun.kind !== 'advanced') throw new Error(begun.reason);
    // The validators of the epoch before were the same.
    const state = {
      ...begun.state,
      block: NO_BLOCK,
      sets: begun.state.sets.map((set) => ({ ...set, from: 0 })),
    };
    expect(followHeaders(BSC_FINALITY, state, [blockAt(number)])).toMatchObject({
      kind: 'advanced',
      state: { block: { number: final } },
    });
  });

  test.each([200, 1_000])('come from the three validators that epoch block %i names', (number) => {
    const { extraData } = blockAt(number);
    const named = namedValidators(extraData, { isEpochBlock: true, hasTurnLength: true });
    expect(named).toEqual({
      voteKeys: [expect.any(String), expect.any(String), expect.any(String)],
      turnLength: 16,
    });
  });
});

const NO_BLOCK = { number: 0, hash: '0x' };
