import type { DayEvent } from '#core/events/day-events.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { type RandomChain, randomChain } from '#test/support/generators/random/random-chain.ts';
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

/** A receiver of events of days that become final in this order, each after its writer has noted the event. */
function receiverAfter(...days: readonly string[]) {
  const receiver = receiverOf(chain);
  for (const day of days) {
    receiver.note(day, 1);
    receiver.expect(day, 1);
  }
  return receiver;
}

test('accepts the events of visible days in order, also twice', () => {
  const receiver = receiverAfter(FIRST, SECOND);
  expect(receiver.whatIsMissing()).toContain(FIRST);
  for (const date of [FIRST, FIRST, SECOND, FIRST]) receiver.receive(eventOf(date));
  receiver.check();
  expect(receiver.whatIsMissing()).toBeUndefined();
  expect(receiver.counts).toEqual({ received: 4, repeated: 2 });
});

test.each([
  [FIRST, SECOND],
  [SECOND, FIRST],
])('finds that the event of a later day overtakes that of %s, which was final before', (before, after) => {
  const receiver = receiverAfter(before, after);
  receiver.receive(eventOf(after));
  receiver.receive(eventOf(before));
  expect(receiver.check).toThrow(`${after} revision 000001 came before that of ${before}`);
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
