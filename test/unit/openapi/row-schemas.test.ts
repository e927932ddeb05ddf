import fc from 'fast-check';
import { coinAmount } from '#core/figures/amounts.ts';
import { amountSchema } from '#openapi/row-schemas.ts';

test('the schema of amounts accepts every formatted amount of wei', () => {
  const wei = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 38n }));
  fc.assert(fc.property(wei, (amount) => amountSchema.safeParse(coinAmount(amount)).success));
});

test.each(['', '.5', '5.', '1.50', '01', '-1', '1e3', '1,5', ' 1', '0.1234567890123456789'])(
  'the schema of amounts refuses %p',
  (text) => {
    expect(amountSchema.safeParse(text).success).toBe(false);
  },
);
