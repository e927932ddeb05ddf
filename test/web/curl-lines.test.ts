import { curlLines } from '../../web/curl-lines.ts';
import { parseView } from '../../web/view.ts';

test('returns one command per chain, below the stage, with the key in a variable', () => {
  const view = parseView('chains=BASE,BSC&start_date=2026-11-18&end_date=2026-11-20', '2026-11-21');
  const commandFor = (chain: string) =>
    `curl -s 'https://api.example.com/v1/api/chain-insights/fees?chain=${chain}&start_date=2026-11-18&end_date=2026-11-20' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;
  expect(curlLines('https://api.example.com/v1/', view)).toEqual([commandFor('BSC'), commandFor('BASE')]);
});
