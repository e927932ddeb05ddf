import { chainOf } from '#core/chains/chains.ts';
import { readAggregator } from '#core/dollars/read-aggregator.ts';
import type { StorageProof } from '#core/dollars/storage-proof.ts';
import { NO_AGGREGATOR } from '#core/figures/dollars.ts';
import { blockResponse, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import { stateWith } from '#test/support/generators/blocks/storage.ts';
import { refAt, reseal, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at } from '#test/support/generators/chains/sample-days.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { Call, NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';

const proxy = chainOf('ETHEREUM').priceFeed?.proxy ?? '';
const AGGREGATOR = `0x${'7d'.repeat(20)}`;
const OTHER = `0x${'8e'.repeat(20)}`;
/** Phase 7 of the proxy. */
const phase = (aggregator: string) => new Map([[2n, Buffer.from(`${aggregator.slice(2)}0007`, 'hex')]]);

let blocks: readonly RawBlock[];
let proof: StorageProof;
let lie: StorageProof;
/** A block with the state of the lie, of which the hash is right. */
let forged: RawBlock;
/** A forged block that claims to be later. */
let high: RawBlock;
beforeAll(async () => {
  const state = await stateWith(proxy, phase(AGGREGATOR));
  proof = await state.prove(2n);
  const other = await stateWith(proxy, phase(OTHER));
  lie = await other.prove(2n);
  const plain = sampleChain([at(0, 0), at(0, 12)]);
  const withState = (stateRoot: string, given = {}) =>
    reseal(plain, 1, (block) => ({ ...block, header: { ...block.header, stateRoot, ...given } }));
  blocks = withState(state.root);
  forged = withState(other.root)[1] as RawBlock;
  high = withState(other.root, { number: '0x9' })[1] as RawBlock;
});

interface Given {
  readonly proof?: StorageProof;
  readonly called?: string;
  readonly change?: object;
  readonly block?: RawBlock;
  readonly refuses?: true;
}

/** A node with the block, that proves storage unless it offers no proofs. */
const nodeWith =
  ({ proof, called = AGGREGATOR, change = {}, block = blocks[1], refuses }: Given): NodeAnswer =>
  ({ method, params }: Call) => {
    if (refuses) return { error: { code: -32_000, message: 'no' } };
    if (method === 'eth_getBlockByNumber' && block)
      return { result: { ...blockResponse(block, false), ...change } };
    if (method === 'eth_call') return { result: `0x${called.slice(2).padStart(64, '0')}` };
    if (!proof || params[0] !== proxy) return { error: { code: -32_601, message: 'method not found' } };
    const { accountProof, storageProof } = proof;
    return { result: { accountProof, storageProof: [{ key: '0x2', value: '0x0', proof: storageProof }] } };
  };
async function read(...given: readonly Given[]) {
  using hosts = serveAnswers(given.map(nodeWith));
  return await readAggregator(hosts, 'latest');
}

test('the proxy names the aggregator in its storage, which follows from the block', async () => {
  expect(await read({ proof, called: OTHER })).toEqual({
    reading: { ...refAt(blocks, 1), aggregator: AGGREGATOR, evidence: 'proven' },
    timestamp: at(0, 12),
  });
});

test('without proofs, two hosts must agree', async () => {
  expect(await read({ called: OTHER }, { called: OTHER })).toMatchObject({
    reading: { aggregator: OTHER, evidence: 'reported' },
  });
  expect(await read({ called: OTHER }, {})).toBeUndefined();
  const third = { called: `0x${'9f'.repeat(20)}` };
  expect(await read({ called: OTHER }, third, {}, { called: OTHER })).toMatchObject({
    reading: { aggregator: OTHER, evidence: 'reported' },
  });
  expect(await read({ called: OTHER })).toBeUndefined();
});

test('the address is the lowest 20 bytes of the answer', async () => {
  const word = { called: `0x${'f'.repeat(24)}${OTHER.slice(2)}` };
  expect(await read(word, word)).toMatchObject({ reading: { aggregator: OTHER } });
});

test('an endpoint that lacks the state of a past block is not asked for one again, but for that of the latest', async () => {
  const methods: string[] = [];
  const pruned: NodeAnswer = (call) => {
    if (call.method !== 'eth_getBlockByNumber') methods.push(call.method);
    return call.method === 'eth_call'
      ? { error: { code: -32_000, message: 'missing trie node' } }
      : nodeWith({})(call);
  };
  using hosts = serveAnswers([pruned]);
  const asked = async (at: Parameters<typeof readAggregator>[1]) => {
    methods.length = 0;
    await readAggregator(hosts, at);
    return [...methods];
  };
  const both = ['eth_getProof', 'eth_call'];
  expect(await asked('latest')).toEqual(both);
  expect(await asked(refAt(blocks, 1))).toEqual(both);
  expect(await asked(refAt(blocks, 1))).toEqual([]);
  expect(await asked('latest')).toEqual(both);
});

test('an endpoint that refuses the state of a past block for another reason is asked again', async () => {
  let calls = 0;
  const busy: NodeAnswer = (call) => {
    if (call.method !== 'eth_call') return nodeWith({})(call);
    calls += 1;
    return { error: { code: -32_603, message: 'internal error' } };
  };
  using hosts = serveAnswers([busy]);
  for (const _ of [1, 2]) await readAggregator(hosts, refAt(blocks, 1));
  expect(calls).toBe(2);
});

test.each<[string, () => Given]>([
  ['a proof of another state', () => ({ proof: lie })],
  ['a header with another state root', () => ({ proof: lie, change: { stateRoot: `0x${'1'.repeat(64)}` } })],
])('%s is refused', async (_, given) => {
  expect(await read(given())).toBeUndefined();
});

test('a feed without an aggregator names the address of none, by a proof or at two hosts', async () => {
  const none = { called: NO_AGGREGATOR };
  expect(await read(none, none)).toMatchObject({
    reading: { aggregator: NO_AGGREGATOR, evidence: 'reported' },
  });
  const unset = new Map([[1n, Buffer.of(7)]]);
  for (const slots of [phase(NO_AGGREGATOR), unset]) {
    const state = await stateWith(proxy, slots);
    const stateless = reseal(blocks, 1, (block) => ({
      ...block,
      header: { ...block.header, stateRoot: state.root },
    }));
    using hosts = serveAnswers([nodeWith({ proof: await state.prove(2n), block: stateless[1] as RawBlock })]);
    expect(await readAggregator(hosts, 'latest')).toMatchObject({
      reading: { aggregator: NO_AGGREGATOR, evidence: 'proven' },
    });
  }
});

describe('one host that takes the dollars from a day', () => {
  const liars: readonly [string, () => Given][] = [
    ['names another aggregator', () => ({ called: OTHER })],
    ['proves another state', () => ({ proof: lie, called: OTHER })],
    ['proves the state of a block of its own', () => ({ proof: lie, called: OTHER, block: forged })],
    ['refuses everything', () => ({ refuses: true })],
  ];
  /** Puts a liar at each place among honest hosts. */
  const companies = (count: number, liar: Given, honest: Given): Given[][] =>
    Array.from({ length: count }, (_, place) =>
      Array.from({ length: count }, (_, index) => (index === place ? liar : honest)),
    );
  const reading = (evidence: string) => ({
    reading: { ...refAt(blocks, 1), aggregator: AGGREGATOR, evidence },
  });

  test.each(liars)('is outvoted among three and four hosts, without a proof, when it %s', async (_, liar) => {
    for (const hosts of [...companies(3, liar(), {}), ...companies(4, liar(), {})])
      expect(await read(...hosts)).toMatchObject(reading('reported'));
  });

  test.each(liars)('is refuted by one proof at a known block when it %s', async (_, liar) => {
    for (const count of [2, 3, 4]) {
      for (const given of companies(count, liar(), { proof, called: OTHER })) {
        using hosts = serveAnswers(given.map(nodeWith));
        expect(await readAggregator(hosts, refAt(blocks, 1))).toMatchObject(reading('proven'));
      }
    }
  });

  test('cannot have its own latest block believed, however high its number is', async () => {
    for (const hosts of companies(3, { proof: lie, block: high }, { proof }))
      expect(await read(...hosts)).toMatchObject(reading('proven'));
  });
});
