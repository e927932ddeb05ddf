import { chainOf } from '#core/chains/chains.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import {
  blocks,
  daysOf150,
  type LimitedHost,
  type Reading,
  readFromHosts,
} from '#test/support/nodes/limited-hosts.ts';
import { answerRaw } from '#test/support/nodes/raw-answers.ts';

const answer = answerFrom(blocks);
const json: LimitedHost = { answer };
const rlp: LimitedHost = { answer: answerRaw(chainOf('ETHEREUM'), blocks, answer) };

/** Gives blocks that do not hash. */
const unhashed: NodeAnswer = (call) => {
  const right = answer(call);
  return call.method === 'eth_getBlockByNumber' && 'result' in right && right.result
    ? { result: { ...right.result, gasUsed: '0x1' } }
    : right;
};
/** Gives valid blocks of another chain. */
const foreign = answerFrom(daysOf150('other'));
const unlimited = { bears: 1_000_000 };

let one: Reading;
beforeAll(async () => {
  one = await readFromHosts([json]);
});

test('one host of 20 calls a second gives two days in 34 seconds, with at most 30 refused calls', () => {
  expect(one.runs).toBe(1);
  expect(one.seconds).toBeLessThanOrEqual(34);
  expect(one.refused[0]).toBeGreaterThan(0);
  expect(one.refused[0]).toBeLessThanOrEqual(30);
});

test.each<[string, LimitedHost[]]>([
  ['of JSON', [json, json, json]],
  ['of RLP', [rlp, rlp, rlp]],
  ['of which one gives RLP', [json, rlp, json]],
  ['and one that gives blocks that do not hash', [{ answer: unhashed }, json, json, json]],
  ['and one that gives such blocks fast', [{ answer: unhashed, ...unlimited }, json, json, rlp]],
  ['and one that gives blocks of another chain', [{ answer: foreign }, json, json, json]],
  ['and one that gives such blocks last in order', [json, rlp, json, { answer: foreign }]],
  ['and one that gives such blocks fast', [{ answer: foreign, ...unlimited }, json, json, json]],
])('three hosts of 20 calls a second %s need at most 0.42 of the time of one', async (_, hosts) => {
  const { runs, seconds } = await readFromHosts(hosts);
  expect(runs).toBe(1);
  expect(seconds).toBeLessThanOrEqual(0.42 * one.seconds);
});

test('a host in reserve gets no call while the others work', async () => {
  const { calls } = await readFromHosts([{ ...json, ...unlimited, options: 'reserve' }, json, json]);
  expect(calls[0]).toBe(0);
});

test('a host whose URL states a rate below what it can sustain refuses no call', async () => {
  const { seconds, refused } = await readFromHosts([{ ...json, options: '18/s' }]);
  expect(refused).toEqual([0]);
  expect(seconds).toBeLessThanOrEqual(38);
});
