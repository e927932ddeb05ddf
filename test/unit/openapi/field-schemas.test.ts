import { amountSchema } from '#openapi/field-schemas.ts';

test.each(['', '.5', '5.', '1.50', '01', '-1', '1e3', '1,5', ' 1', '0.1234567890123456789'])(
  'the schema of amounts refuses %p',
  (text) => {
    expect(amountSchema.safeParse(text).success).toBe(false);
  },
);
