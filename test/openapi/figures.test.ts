import fc from 'fast-check';
import { coinAmount } from '../../lambda/api/coin-amount.ts';
import { figures } from '../../openapi/figures.ts';

const { schema } = figures['get-fees'];

test('every amount of wei is served as the decimal that the document describes', () => {
  const wei = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 38n }));
  fc.assert(fc.property(wei, (amount) => schema.safeParse(coinAmount(amount)).success));
});

test.each(['', '.5', '5.', '1.50', '01', '-1', '1e3', '1,5', ' 1', '0.1234567890123456789'])(
  'the document does not take %p for fees',
  (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  },
);
