import { coinAmount } from '../../lambda/chains/coin-amount.ts';
import { totalFees } from '../../lambda/chains/fee-parts.ts';
import type { DayEvent } from '../../lambda/ingest/day-events.ts';
import { randomFrom } from '../support/random.ts';
import { type RandomChain, randomChain } from '../support/random-chain.ts';
import { ViolationError } from './oracle.ts';
import { receiverOf } from './receiver.ts';

const [FIRST, SECOND] = ['2026-01-01', '2026-01-02'] as const;
let chain: RandomChain;
beforeAll(async () => {
  chain = await randomChain('bsc', randomFrom(1), { firstDay: FIRST, days: 2 });
});

/** Returns the event of revision 1 of a day, with some of the row changed. */
function eventOf(date: string, changed: object = {}): DayEvent {
  const day = chain.expected.get(date);
  if (!day) throw new Error(`${date} is missing`);
  const { transactions, fees } = day;
  const row = { date, revision: 1, transaction_count: transactions, fees: coinAmount(totalFees(fees)) };
  const detail = { chain: chain.chain.name, ...row, ...changed };
  return { source: 'chain-insights', 'detail-type': 'Day Final', detail } as DayEvent;
}

test('accepts the events of visible days in order, also twice', () => {
  const receiver = receiverOf(chain);
  receiver.expect(FIRST, 1);
  receiver.expect(SECOND, 1);
  expect(receiver.whatIsMissing()).toContain(FIRST);
  for (const date of [FIRST, FIRST, SECOND, FIRST]) receiver.receive(eventOf(date));
  receiver.check();
  expect(receiver.whatIsMissing()).toBeUndefined();
  expect(receiver.counts).toEqual({ received: 4, repeated: 2 });
});

test('finds an event that overtakes that of an earlier day that was visible before', () => {
  const receiver = receiverOf(chain);
  receiver.expect(FIRST, 1);
  receiver.expect(SECOND, 1);
  receiver.receive(eventOf(SECOND));
  receiver.receive(eventOf(FIRST));
  expect(receiver.check).toThrow(`${SECOND} revision 000001 came before that of ${FIRST}`);
});

test('accepts the event of an earlier day that became visible later, or was deleted', () => {
  const late = receiverOf(chain);
  late.expect(SECOND, 1);
  late.expect(FIRST, 1);
  late.receive(eventOf(SECOND));
  late.check();
  const deleted = receiverOf(chain);
  deleted.expect(FIRST, 1);
  deleted.expect(SECOND, 1);
  deleted.forget(FIRST);
  deleted.receive(eventOf(SECOND));
  deleted.receive(eventOf(FIRST));
  deleted.check();
});

test.each([
  ['another count', { transaction_count: -1 }],
  ['other fees', { fees: '0.1234' }],
  ['another chain', { chain: 'ETHEREUM' }],
  ['a revision of another type', { revision: 2 }],
])('finds an event with %s', (_, changed) => {
  const receiver = receiverOf(chain);
  receiver.expect(FIRST, 1);
  receiver.receive(eventOf(FIRST, changed));
  expect(receiver.check).toThrow(ViolationError);
});

test('finds the event of a day that was never visible', () => {
  const receiver = receiverOf(chain);
  receiver.receive(eventOf(FIRST));
  expect(receiver.check).toThrow('is not about a day that was visible');
});
