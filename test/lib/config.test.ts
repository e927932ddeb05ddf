import { chainNames } from '../../lambda/chains/chains.ts';
import { readConfig } from '../../lib/config.ts';

test('with nothing configured everything has a default', () => {
  expect(readConfig(undefined)).toEqual({
    chains: chainNames,
    startDate: '2026-11-01',
    confirmations: {},
    ingestEveryMinutes: 5,
    ratePerSecond: 10,
    burst: 20,
    requestsPerMonth: 100_000,
  });
});

test('what is configured replaces its default', () => {
  const given = {
    chains: ['BSC'],
    startDate: '2026-10-01',
    confirmations: { BSC: 15 },
    ingestEveryMinutes: 10,
  };
  expect(readConfig(given)).toMatchObject(given);
});

test.each([
  [{ chains: ['BSC', 'SOLANA'] }, 'chain-insights.chains.1: expected one of ETHEREUM, ARBITRUM'],
  [{ chains: [] }, 'chain-insights.chains: expected at least one chain'],
  [{ startDate: '2026-02-30' }, 'chain-insights.startDate: expected a day as YYYY-MM-DD'],
  [
    { confirmations: { BSC: 0 } },
    'chain-insights.confirmations.BSC: expected a whole number from 1 to 100000',
  ],
  [{ confirmations: { BSC: 1.5 } }, 'chain-insights.confirmations.BSC: expected a whole number from 1'],
  [{ confirmations: { SOLANA: 5 } }, 'chain-insights.confirmations: Unrecognized key: "SOLANA"'],
  [{ ingestEveryMinutes: 0 }, 'chain-insights.ingestEveryMinutes: expected a whole number from 1 to 60'],
  [{ burst: 1.5 }, 'chain-insights.burst: expected a whole number from 1 to 5000'],
  [{ requestsPerMonth: '5' }, 'chain-insights.requestsPerMonth: expected a whole number from 1'],
  [{ strtDate: '2026-10-01' }, 'Unrecognized key: "strtDate"'],
])('%p is refused by its name', (given, message) => {
  expect(() => readConfig(given)).toThrow(message);
});
