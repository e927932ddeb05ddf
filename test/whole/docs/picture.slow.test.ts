import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { type ChainName, defaultChainNames } from '#core/chains/chains.ts';
import { addDays } from '#core/figures/calendar.ts';
import { sampleBanner } from '#local/handlers.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { describeInBrowser, launchBrowser } from '#test/support/processes/browser.ts';
import {
  CANNED_KEY,
  CANNED_NOW,
  startCannedService,
  statusOf,
} from '#test/support/servers/canned-service.ts';
import { smallPng } from '#test/support/small-png.ts';

/*
 * The picture of the explorer in the README is of the page as it is, and says that its data are samples. Fonts differ between machines,
 * so what is compared is the text that screen readers get. It is beside the picture, and both are written by:
 *
 *   UPDATE_PICTURE=1 npx jest picture
 */

const PICTURE = 'docs/images/explorer.png';
const TEXT = 'docs/images/explorer.txt';

const VIEW =
  '?chains=ETHEREUM,ARBITRUM,OPTIMISM,BASE&start_date=2025-11-22&end_date=2026-11-21&average=7&scale=log';
const SIZE = { width: 1_320, height: 836 };
/** The parts that the picture shows. It ends below the cards. */
const SHOWN = ['.banner', '.top', '.fold', '.chart-card', '.cards'];

/** Mean fees of a day. */
const MEANS = new Map<ChainName, number>([
  ['ETHEREUM', 150],
  ['BASE', 30],
  ['ARBITRUM', 12],
  ['OPTIMISM', 5],
]);

/** Invents the fees of each day: a random walk around a mean, with a jump now and then. */
function inventFees(chain: ChainName, first: string, days: number): ReadonlyMap<string, string> {
  const random = randomFrom(66, chain);
  const mean = MEANS.get(chain) ?? 1;
  let level = mean;
  const feesOf = (index: number) => {
    level += (mean - level) / 14;
    level *= 0.9 + random.below(200) / 1_000;
    if (random.chance(0.015)) level *= 2 + random.below(3);
    return [addDays(first, index), level.toFixed(9)] as const;
  };
  return new Map(Array.from({ length: days }, (_, index) => feesOf(index)));
}

const invented = new Map([...MEANS.keys()].map((chain) => [chain, inventFees(chain, '2025-11-22', 365)]));

interface Row {
  readonly chain: ChainName;
  readonly date: string;
  readonly fees: string;
}

let service: Awaited<ReturnType<typeof startCannedService>>;
let browser: Browser;
let page: Page;

describeInBrowser('the picture of the explorer', () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startCannedService('', sampleBanner(defaultChainNames)),
      launchBrowser(),
    ]);
    page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' });
    await page.clock.setFixedTime(CANNED_NOW);
    await page.addInitScript(`sessionStorage.setItem('chain-insights-key', '${CANNED_KEY}')`);
    const statuses = defaultChainNames.map((chain) => ({ ...statusOf(chain), scheduled: [] }));
    await page.route('**/chains', (route) => route.fulfill({ json: statuses }));
    await page.route('**/today?*', (route) => route.abort());
    await page.route('**/days?*', async (route) => {
      const rows = (await (await route.fetch()).json()) as readonly Row[];
      const feesOf = ({ chain, date, fees }: Row) => invented.get(chain)?.get(date) ?? fees;
      await route.fulfill({ json: rows.map((row) => ({ ...row, fees: feesOf(row) })) });
    });
    await page.goto(`${service.url}/${VIEW}`);
    await page.locator('text.name').nth(3).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  test('is of the page as it is, with “sample data” on it', async () => {
    const { x = 0, y = 0, width = 0 } = (await page.getByRole('slider').boundingBox()) ?? {};
    await page.mouse.move(x + width * 0.62, y + 200);
    await page.locator('.tooltip').waitFor();
    const texts = await Promise.all(SHOWN.map((part) => page.locator(part).ariaSnapshot()));
    // Of a closed list, one option is seen.
    const text = `${texts.join('\n').replaceAll(/^ *- option "[^"]*"(?: \[disabled\])?\n/gm, '')}\n`;
    if (process.env.UPDATE_PICTURE) {
      writeFileSync(PICTURE, await smallPng(page, await page.screenshot()));
      writeFileSync(TEXT, text);
    }
    expect(text).toContain('Sample data, not of the real chains: ETHEREUM, ');
    expect(text).toContain('Of this sample data, proven from the hash of a finalized block');
    expect(readFileSync(TEXT, 'utf8')).toBe(text);
  });

  test('is small enough to load, and named as sample data where it is shown', () => {
    const bytes = readFileSync(PICTURE);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([SIZE.width, SIZE.height]);
    expect(bytes.length).toBeLessThan(120_000);
    for (const [file, path] of [
      ['README.md', PICTURE],
      ['docs/explorer.md', 'images/explorer.png'],
    ] as const) {
      const [, words] = new RegExp(`!\\[([^\\]]*)\\]\\(${path}\\)`).exec(readFileSync(file, 'utf8')) ?? [];
      expect(words).toContain('sample data');
    }
  });

  test('the banner of six chains takes at most two lines on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const lines = await page.locator('.banner').evaluate((banner) => {
      const { height } = banner.getBoundingClientRect();
      const { lineHeight, paddingBlock } = getComputedStyle(banner);
      return (height - 2 * Number.parseFloat(paddingBlock)) / Number.parseFloat(lineHeight);
    });
    expect(Math.round(lines)).toBeLessThanOrEqual(2);
  });
});
