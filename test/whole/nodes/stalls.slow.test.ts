import type { ChainName } from '#core/chains/chains.ts';
import { fastClock } from '#test/support/clock.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { NO_CONSTRAINTS, nitro, ONE_CONSTRAINT, ofArbos } from '#test/support/generators/chains/nitro.ts';
import { answerFrom, blockAt, reseal, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import {
  type Blocks,
  ingestFrom as ingest,
  isHeader,
  isNumbered,
  publishedIn,
  times,
  withTime,
} from '#test/support/nodes/attacked-chain.ts';
import type { Answer, Call, NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import type { GivenRun } from '#test/support/processes/run-ingest.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Attacks that stop or delay a chain although most endpoints are honest, and lies about the gas pricing of Arbitrum. */

const table = useMemoryTable();
const ingestFrom = (answers: readonly Answer[], given?: GivenRun) => ingest(table(), answers, given);
const published = (chain?: ChainName) => publishedIn(table(), chain);

const seconds = Array.from({ length: 400 }, (_, second) => at(0, second));
const many = sampleChain([at(-1, 80_000), ...seconds, at(1, 0), at(1, 1)]);
const truth = answerFrom(many);
const isForBlock = (call: Call) => isNumbered(call) && !isHeader(call);

test('a liar before two honest endpoints is soon asked later when its blocks do not link, since each would be read again', async () => {
  const forged = many.map((block, number) => {
    const fork = reseal(many.slice(0, number + 1), number, (one) =>
      withTime(one, Number(one.header.timestamp)),
    );
    return number < 2 || number > 400 ? block : blockAt(fork, number);
  });
  let asked = 0;
  const liar: Answer = (call) => {
    if (!isForBlock(call)) return truth(call);
    asked += 1;
    return answerFrom(forged)(call);
  };
  const clock = { ...fastClock(), now: () => at(1, 12) * 1_000 };
  const report = await ingestFrom([liar, truth, truth], { clock });
  expect(report).toMatchObject({ outcome: 'up to date', days: [DAY] });
  expect(asked).toBeLessThan(300);
});

describe('the gas pricing of Arbitrum', () => {
  const nitroFrom = (fork: number) =>
    sealedChain(
      nitro,
      [...times.slice(0, 6), at(1, 40_001)].map((timestamp, number) => ({
        header: {
          ...ofArbos(61),
          timestamp: hex(timestamp),
          stateRoot: hashOf(`${number < fork} ${number}`),
        },
      })),
    );
  const [blocks, forked] = [nitroFrom(99), nitroFrom(3)];
  const NONE = { result: NO_CONSTRAINTS };
  const SOME = { result: ONE_CONSTRAINT };
  const telling =
    (of: Blocks, constraints: NodeResponse): Answer =>
    (call) =>
      call.method === 'eth_call' ? constraints : answerFrom(of, { chainId: nitro.id })(call);
  const well = telling(blocks, NONE);

  test.each([
    ['a scheduled run', undefined],
    ['a run for its day', DAY],
  ])('after a forged end of the day stops nothing beside two honest endpoints, in %s', async (_, day) => {
    const lie = telling(forked, SOME);
    const isLie = (call: Call) =>
      isNumbered(call) && Number(call.params[0]) >= 3 && Number(call.params[0]) < 6;
    const liar: Answer = (call) => (call.method === 'eth_call' || isLie(call) ? lie : well)(call);
    for (let runs = 0; runs < 2; runs++) await ingestFrom([liar, well, well], { chain: nitro, day });
    await ingestFrom([well, well], { chain: nitro, isClosing: true });
    expect(await published('ARBITRUM')).toEqual([[DAY, blockAt(blocks, 3).header.hash]]);
  });

  test('is not taken from the liar while the honest endpoint fails', async () => {
    let failures = 0;
    const failing: Answer = (call) =>
      call.method === 'eth_call' && failures++ < 6 ? { hangUp: true } : telling(blocks, SOME)(call);
    await ingestFrom([well, failing], { chain: nitro });
    expect(await published('ARBITRUM')).toEqual([]);
  });
});
