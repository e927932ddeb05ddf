import { compressorFor } from '#lambda/pages/accept-encoding.ts';

test.each(['gzip', 'gzip, deflate, br', 'GZIP;q=0.5', 'deflate', 'gzip;q=1.0, identity; q=0.5, *;q=0'])(
  'leaves the compression of %p to API Gateway',
  (header) => expect(compressorFor(header)).toBe('gateway'),
);

test.each([undefined, '*', 'br, *;q=0.1', 'gzip, identity', 'identity, gzip;q=0.1'])(
  'compresses in the function for %p, which allows gzip and does not prefer it',
  (header) => expect(compressorFor(header)).toBe('function'),
);

test.each([
  '',
  'identity',
  'gzip;q=0',
  'gzip; q=0.000, *',
  'identity, *;q=0',
  'br',
  'gzip;q=x',
  'deflate;q=0',
])('has no coding for %p, which forbids gzip', (header) => expect(compressorFor(header)).toBeUndefined());
