import { isOfStack } from './leftovers.ts';

test.each([
  'ChainInsights-e2e',
  'ChainInsights-e2e-MetricsTable30109399-16b6f45e',
  'chaininsights-e2e-backfillreportsd60e8204-1d18c676',
  'Issued for ChainInsights-e2e, tier standard',
])('%s is of the stack ChainInsights-e2e', (name) => {
  expect(isOfStack(name, 'ChainInsights-e2e')).toBe(true);
});

test.each([
  'ChainInsights-e2eup-IngestFunction',
  'Issued for ChainInsights-e2e2, tier standard',
  'CDKToolkit',
])('%s is of another stack', (name) => {
  expect(isOfStack(name, 'ChainInsights-e2e')).toBe(false);
});
