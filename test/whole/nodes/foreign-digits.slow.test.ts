import { chainOf } from '#core/chains/chains.ts';
import { MULTI_GAS_PROBLEM } from '#core/proof/fields/tripwires.ts';
import { getDay } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import {
  arbitrum,
  base,
  bytes,
  chainOfScene,
  plain,
  type Scene,
  startNode,
} from '#test/support/generators/day-scenes.ts';
import { escaped, withForeignDigit } from '#test/support/generators/foreign-digits.ts';
import { randomFrom } from '#test/support/generators/random.ts';
import { randomAccount, signLegacy } from '#test/support/generators/random-signatures.ts';
import { DAY } from '#test/support/generators/sample-days.ts';
import { hex, type Json } from '#test/support/generators/seal.ts';
import { bodyOf, type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rawCall } from '#test/support/nodes/raw-node.ts';
import { inReserve } from '#test/support/nodes/source.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useTable } from '#test/support/tables/table.ts';

/*
 * Endpoints that spell hex with characters whose low byte is the digit, so that a block has its hash, and what is read later differs.
 * The endpoint that is asked first lies so, and the one in reserve is honest.
 */

const table = useTable();

const bsc = plain('BSC');
const miner = randomAccount(randomFrom(1, 'miner'));
const systemCall = {
  nonce: '0x0',
  gas: hex(21_000),
  gasPrice: '0x0',
  value: '0x0',
  input: '0x',
  from: miner.address,
  to: '0x0000000000000000000000000000000000001000',
};
/** With one system transaction, its last. */
const bscScene: Scene = {
  ...bsc,
  own: { miner: miner.address },
  pairs: [...bsc.pairs, { transaction: { ...systemCall, ...signLegacy(miner, systemCall, bsc.chain.id) } }],
  totals: {
    ...bsc.totals,
    transactions: 4,
    protocolTransactions: 1,
    measures: { ...bsc.totals.measures, gasUsed: (bsc.totals.measures.gasUsed ?? 0n) + 21_000n },
  },
};

const mixHashOf = (version: number, tips: number): string =>
  `0x${bytes(0, 16)}${bytes(version, 8)}00${bytes(tips, 1)}${bytes(0, 6)}`;
/** Block 2 follows a rule that is not known here. */
const arbitrumWith = (mixHash: string): Scene => ({ ...arbitrum, own: { mixHash } });

type Tell = (result: Json) => Json;

const inHeader =
  (member: string, digit: number): Tell =>
  (block) => ({ ...block, [member]: withForeignDigit(block[member], digit) });
const inTransaction =
  (index: number, member: string, digit: number): Tell =>
  ({ transactions, ...block }) => ({
    ...block,
    transactions: (transactions as readonly Json[]).map((one, at) =>
      at === index && typeof one === 'object'
        ? { ...one, [member]: withForeignDigit(one[member], digit) }
        : one,
    ),
  });

/** Starts a node that spells block 2 of a scene as `tell` says, and the answer of a contract call with a foreign last digit. */
const startMisspelling = (node: JsonRpcServer, tell: Tell, spell: (json: string) => string) =>
  startJsonRpcServer(async (call) => {
    const result = await rawCall<Json | null>(node.url, call.method, ...call.params);
    const isBlock = call.method === 'eth_getBlockByNumber' && result?.number === '0x2';
    const told = call.method === 'eth_call' ? withForeignDigit(result, String(result).length - 1) : result;
    return { status: 200, body: spell(bodyOf(call, { result: result && isBlock ? tell(result) : told })) };
  });

interface Lie {
  readonly about: string;
  readonly scene: Scene;
  readonly tell: Tell;
}

describe.each([
  { spelling: 'in UTF-8', spell: (json: string) => json },
  { spelling: 'as an escape in ASCII', spell: escaped },
])('a digit that is only the low byte of a character, $spelling', ({ spell }) => {
  test.each<Lie>([
    { about: 'the receiver of a BSC system transaction', scene: bscScene, tell: inTransaction(3, 'to', 2) },
    { about: 'the miner who signed it', scene: bscScene, tell: inHeader('miner', 5) },
    { about: 'the L1 attributes', scene: base, tell: inTransaction(0, 'input', 90) },
    { about: 'the selector of the L1 attributes', scene: base, tell: inTransaction(0, 'input', 2) },
    { about: 'the depositor of the L1 attributes', scene: base, tell: inTransaction(0, 'from', 20) },
  ])('in $about changes no figure', async ({ scene, tell }) => {
    await using honest = await startNode(scene, chainOfScene(scene));
    await using liar = await startMisspelling(honest, tell, spell);
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain: scene.chain })).toMatchObject({
      outcome: 'up to date',
      days: [DAY],
      faults: { [liar.host]: { 'not proven': expect.any(Number) } },
    });
    expect((await getDay(chainStore(table(), scene.chain), DAY))?.totals).toEqual(scene.totals);
  });

  test.each<Lie & { problem: string }>([
    {
      about: 'an ArbOS version that is not known here',
      scene: arbitrumWith(mixHashOf(62, 0)),
      tell: inHeader('mixHash', 2 + 2 * 16),
      problem: 'ArbOS version 62 is newer than 61',
    },
    {
      about: 'the flag of tips',
      scene: arbitrumWith(mixHashOf(61, 1)),
      tell: inHeader('mixHash', 2 + 2 * 25),
      problem: 'this block collects tips',
    },
  ])('in $about does not silence the tripwire', async ({ scene, tell, problem }) => {
    await using honest = await startNode(scene, chainOfScene(scene));
    await using liar = await startMisspelling(honest, tell, spell);
    const report = await runIngest(table(), [liar, inReserve(honest)], { chain: scene.chain });
    expect(report).toMatchObject({ outcome: 'failed', days: [] });
    expect(report.reason).toContain(`${honest.host}: ARBITRUM block 2: mixHash: ${problem}`);
    expect(report.reason).toContain(`${liar.host}: ARBITRUM block 2: mixHash: the given value`);
    expect(await getDay(chainStore(table(), 'ARBITRUM'), DAY)).toBeUndefined();
  });

  test('in the multi-gas constraints does not silence their tripwire', async () => {
    await using honest = await startNode(arbitrum, chainOfScene(arbitrum), 1);
    await using liar = await startMisspelling(honest, (block) => block, spell);
    expect(await runIngest(table(), [liar, inReserve(honest)], { chain: arbitrum.chain })).toMatchObject({
      days: [],
      reason: MULTI_GAS_PROBLEM,
      faults: { [liar.host]: { 'invalid response': expect.any(Number) } },
    });
  });

  test('is refused in a chain ID', async () => {
    await using honest = await startNode(base, chainOfScene(base));
    await using liar = await startJsonRpcServer(async (call) => {
      const result = await rawCall<string>(honest.url, call.method, ...call.params);
      const told = call.method === 'eth_chainId' ? withForeignDigit(result, 2) : result;
      return { status: 200, body: spell(bodyOf(call, { result: told })) };
    });
    const report = await runIngest(table(), [liar], { chain: chainOf('BASE') });
    expect(report.reason).toContain('result: expected a hex quantity');
  });
});
