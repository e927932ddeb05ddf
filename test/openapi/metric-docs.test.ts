import fc from 'fast-check';
import { coinAmount } from '../../lambda/api/metrics.ts';
import { metricDocs } from '../../openapi/metric-docs.ts';

const { schema } = metricDocs['get-fees'];

test('the schema of fees accepts every formatted amount of wei', () => {
  const wei = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 38n }));
  fc.assert(fc.property(wei, (amount) => schema.safeParse(coinAmount(amount)).success));
});

test.each(['', '.5', '5.', '1.50', '01', '-1', '1e3', '1,5', ' 1', '0.1234567890123456789'])(
  'the schema of fees refuses %p',
  (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  },
);
