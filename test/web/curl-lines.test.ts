import { curlLines } from '../../web/curl-lines.ts';
import { viewOf } from '../../web/view.ts';

test('there is a line for each chain, below the stage, with the key in a variable', () => {
  const view = viewOf('chains=BASE,BSC&start_date=2026-11-18&end_date=2026-11-20', '2026-11-21');
  const lineOf = (chain: string) =>
    `curl -s 'https://api.example.com/v1/api/chain-insights/fees?chain=${chain}&start_date=2026-11-18&end_date=2026-11-20' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;
  expect(curlLines('https://api.example.com/v1/', view)).toEqual([lineOf('BSC'), lineOf('BASE')]);
});
