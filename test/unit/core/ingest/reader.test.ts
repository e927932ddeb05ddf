import { chainOf } from '../../../../core/chains/chains.ts';
import { createBlockReader } from '../../../../core/ingest/reader.ts';
import { answerFrom, refAt } from '../../../support/generators/sample-chain.ts';
import { sampleBlocks } from '../../../support/generators/sample-days.ts';
import { startJsonRpcServer } from '../../../support/nodes/json-rpc-server.ts';
import { sourceOf } from '../../../support/nodes/source.ts';

const placeAfter = (number: number) => ({ block: refAt(sampleBlocks, number), notBefore: 0 });
const ENDED = { kind: 'end reached' };

test('continues a stream that stands at the place, and closes one that does not', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const source = await sourceOf(chainOf('ETHEREUM'), [node]);
  const reader = createBlockReader(source);
  const first = await reader.from(placeAfter(3), source.anchor);
  await first.peek();
  first.take();
  expect(await reader.from(placeAfter(4), source.anchor)).toBe(first);
  expect(await first.peek()).toMatchObject({ block: { number: 5 } });

  const second = await reader.from(placeAfter(5), source.anchor);
  expect(second).not.toBe(first);
  expect(await first.peek()).toEqual(ENDED);
  expect(await second.peek()).toMatchObject({ block: { number: 6 } });

  await reader[Symbol.asyncDispose]();
  expect(await second.peek()).toEqual(ENDED);
  await createBlockReader(source)[Symbol.asyncDispose]();
});
