import { mkdirSync, readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { addDays, dayOf } from '../../lambda/chains/utc-day.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import {
  chainsBut,
  READY,
  type ServiceProcess,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

/* The pages in a real browser, served by the local service with two development chains. */

const KEY = withKey.API_KEY;
const SCREENSHOTS = 'test-output/screenshots';
const yesterday = addDays(dayOf(Date.now() / 1000), -1);
const week = { start_date: addDays(yesterday, -6), end_date: yesterday };

/** Errors, requests to other hosts and leaked keys, over all tests. */
const pageErrors: string[] = [];

let service: ServiceProcess;
let url: string;
let browser: Browser;
let context: BrowserContext;

/** Opens a path in a watched tab. Tests share one tab, since a new one takes twice the time. */
async function openTab(path = '/', on = context): Promise<Page> {
  const [tab = watched(await on.newPage())] = on.pages();
  await tab.goto(url + path);
  return tab;
}

function watched(tab: Page): Page {
  tab.on('pageerror', ({ message }) => pageErrors.push(message));
  tab.on('console', (message) => {
    // The browser itself logs each error response.
    const isOwn = !message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && isOwn) pageErrors.push(message.text());
  });
  tab.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) pageErrors.push(request.url());
    if (request.url().includes(KEY)) pageErrors.push(`the key is in ${request.url()}`);
  });
  return tab;
}

/** Opens the explorer with the week that has data. */
const openWeek = () => openTab(`/?${new URLSearchParams({ chains: 'ETHEREUM,BASE', ...week })}`);

async function draw(tab: Page, key = KEY): Promise<void> {
  await tab.getByLabel('API key').fill(key);
  await tab.getByLabel('API key').press('Enter');
}

/** Sends a request to the API directly. */
const callApi = (metric: string, chain: string, accept: string, key = KEY) =>
  fetch(`${url}/api/chain-insights/${metric}?${new URLSearchParams({ chain, ...week })}`, {
    headers: { 'X-API-Key': key, Accept: accept },
  });

const feesOf = async (chain: string) =>
  (await (await callApi('fees', chain, 'application/json')).json()) as { date: string; fees: string }[];

async function downloadFrom(tab: Page, button: string) {
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Counts the pixels of a color in an image, using the browser to decode it. */
const countPixels = (tab: Page, png: Buffer, color: readonly number[]): Promise<number> =>
  tab.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const { width, height } = image;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const isColor = (at) => [${color}].every((part, index) => data[at + index] === part);
    return Array.from({ length: width * height }, (_, index) => index * 4).filter(isColor).length;
  })()`);

const chain = (tab: Page, name: string) => tab.getByRole('checkbox', { name });

/** Sends the example request of the API reference with its stored key. */

const coverage = (tab: Page) => tab.getByRole('status').getByRole('listitem');

describeInBrowser('the pages in a browser', () => {
  beforeAll(async () => {
    service = startServiceProcess({ ...chainsBut({ RPC_URLS_ETHEREUM: '', RPC_URLS_BASE: '' }), ...withKey });
    [url, browser] = await Promise.all([service.says(READY), launchBrowser()]);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    service.child.kill('SIGKILL');
  });

  test('draws two chains after a key and Enter, with every digit of the API', async () => {
    expect(await service.says(/explore: (\S+)/)).toBe(`${url}/`);
    const page = await openTab();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    expect(await coverage(page).allTextContents()).toEqual([
      `Ethereum: 23 days have no final figure; data through ${yesterday}.`,
      `Base: 23 days have no final figure; data through ${yesterday}.`,
    ]);
    const [ethereum, base] = await Promise.all([feesOf('ETHEREUM'), feesOf('BASE')]);
    expect(await page.locator('.readout .date').textContent()).toContain(yesterday);
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Day', 'Ethereum (ETH)', 'Base (ETH)'],
      ...ethereum.map(({ date, fees }, index) => [date, fees, base[index]?.fees]).toReversed(),
    ]);
  });

  test('downloads the bytes of the API for one chain, and a column per chain for two', async () => {
    const page = await openWeek();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    const both = await downloadFrom(page, 'Download CSV');
    expect(both.name).toBe(`chain-insights_fees_ETHEREUM_BASE_${week.start_date}_${week.end_date}.csv`);
    expect(both.bytes.toString()).toMatch(
      /^date,ETHEREUM_fees_ETH,BASE_fees_ETH\r\n(\d{4}-\d\d-\d\d,0\.\d+,0\.\d+\r\n){7}$/,
    );

    await chain(page, 'Ethereum').uncheck();
    await page.getByLabel('Transactions').check();
    await page.getByRole('heading', { name: /^Transactions per day, / }).waitFor();
    const one = await downloadFrom(page, 'Download CSV');
    const ofApi = await callApi('transaction_count', 'BASE', 'text/csv');
    expect(one.bytes).toEqual(Buffer.from(await ofApi.arrayBuffer()));
  });

  test('draws fees in different coins in separate charts', async () => {
    const page = await openWeek();
    await chain(page, 'BSC').check();
    await draw(page);
    await coverage(page).nth(2).waitFor();
    expect(await coverage(page).nth(1).textContent()).toBe('BSC: no final day yet.');
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'ETH per day',
      'BNB per day',
    ]);
    await page.getByLabel('Transactions').check();
    await page.getByRole('heading', { name: 'transactions per day', exact: true }).waitFor();
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(1);
  });

  test('zooms by mouse and keyboard, shows the day under the cursor, and resets', async () => {
    const page = await openWeek();
    await draw(page);
    const plot = page.getByRole('img', { name: /^Line chart/ });
    const { x, y, width } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width * 0.4, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.8, y + 90, { steps: 3 });
    await page.mouse.up();
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    await reset.waitFor();
    // The zoom is kept when another chain is drawn.
    await chain(page, 'Base').uncheck();
    await coverage(page).nth(1).waitFor({ state: 'detached' });
    await reset.click();
    await reset.waitFor({ state: 'hidden' });

    await plot.press('Home');
    await page.locator('.readout .date').getByText(week.start_date).waitFor();
    await plot.press('ArrowRight');
    await page.locator('.readout .date').getByText(addDays(week.start_date, 1)).waitFor();
    await plot.press('+');
    await reset.waitFor();
    await plot.press('Escape');
    await reset.waitFor({ state: 'hidden' });
  });

  test('shows a missing figure as a gap in the chart, the table and the CSV', async () => {
    const page = await openWeek();
    const gap = addDays(week.start_date, 3);
    const omitGap = async (route: Route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as { readonly date: string }[];
      await route.fulfill({ response, json: rows.filter(({ date }) => date !== gap) });
    };
    await page.route('**/fees?chain=BASE*', omitGap, { times: 1 });
    await draw(page);
    await page.getByRole('row', { name: `${gap} 0.` }).waitFor();
    const cells = await page.getByRole('row', { name: gap }).getByRole('cell').allTextContents();
    expect(cells).toEqual([expect.stringMatching(/^0\.\d+$/), 'no final figure']);
    const { bytes } = await downloadFrom(page, 'Download CSV');
    expect(bytes.toString()).toMatch(new RegExp(`\r\n${gap},0\\.\\d+,\r\n`));
    await page.getByRole('img').press('Home');
    for (let days = 0; days < 3; days++) await page.getByRole('img').press('ArrowRight');
    await page.locator('.readout').getByText('no final figure').waitFor();
  });

  test('shows scale and average in the chart, the notes, the URL and the image', async () => {
    const page = await openWeek();
    await draw(page);
    await page.getByLabel('Log scale').check();
    const plain = await downloadFrom(page, 'Download PNG');
    // The color of Ethereum's line. Its swatch alone has 90 pixels.
    expect(await countPixels(page, plain.bytes, [29, 63, 224])).toBeGreaterThan(400);
    await page.getByLabel('7-day average').check();
    await page
      .getByText('The bold line is the 7-day average: the mean of a day and the six before it')
      .waitFor();
    expect(new URL(page.url()).search).toMatch(/&scale=log&average=7$/);
    const { name, bytes } = await downloadFrom(page, 'Download PNG');
    expect(name).toBe(`chain-insights_fees_ETHEREUM_BASE_${week.start_date}_${week.end_date}.png`);
    expect(bytes).not.toEqual(plain.bytes);

    await page.getByRole('img').press('End');
    await page.getByRole('img').press('+');
    const zoomed = await downloadFrom(page, 'Download PNG');
    expect(zoomed.name).toBe(
      `chain-insights_fees_ETHEREUM_BASE_${addDays(week.end_date, -1)}_${week.end_date}.png`,
    );
  });

  test('centers the point of a single day', async () => {
    const page = await openTab(`/?${new URLSearchParams({ start_date: yesterday, end_date: yesterday })}`);
    await draw(page);
    const plot = page.getByRole('img', { name: /^Line chart/ });
    await plot.press('Home');
    const [whole, point] = [
      await plot.boundingBox(),
      await page.locator('.u-cursor-pt').first().boundingBox(),
    ];
    expect((point?.x ?? 0) - (whole?.x ?? 0)).toBeGreaterThan((whole?.width ?? 0) * 0.4);
  });

  test('removing the key aborts loading, and the next key draws the current choices', async () => {
    const page = await openWeek();
    const requested = Promise.withResolvers<void>();
    const chosen = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      requested.resolve();
      await chosen.promise;
      await route.continue().catch(() => {});
    };
    await page.route('**/fees?*', hold, { times: 2 });
    await draw(page);
    await requested.promise;
    await page.getByText('Loading …').waitFor();
    await draw(page, ' ');
    await page.getByText('Loading …').waitFor({ state: 'detached' });
    await page.getByLabel('Transactions').check();
    chosen.resolve();
    await draw(page);
    await page.getByRole('heading', { name: /^Transactions per day, / }).waitFor();
    expect(await page.getByRole('cell').allTextContents()).toEqual(
      Array.from({ length: 14 }, () => expect.stringMatching(/^\d+$/)),
    );
  });

  test('reports an invalid key or range without sending a request', async () => {
    const page = await openWeek();
    await draw(page, '  ');
    await page.getByRole('alert').getByText('Enter your API key.').waitFor();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    await page.getByLabel('to', { exact: true }).fill('2026-01-01');
    await page.getByRole('alert').getByText('Last day: It must not be before the first day.').waitFor();
    await page.getByRole('button', { name: '7 days' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  test('a late response does not replace the error of a later choice', async () => {
    const page = await openWeek();
    const chosen = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      await chosen.promise;
      await route.continue().catch(() => {});
    };
    await page.route('**/fees?*', hold, { times: 2 });
    await draw(page);
    await page.getByText('Loading …').waitFor();
    await page.getByLabel('to', { exact: true }).fill('2026-01-01');
    await page.getByRole('alert').getByText('Last day: It must').waitFor();
    await page.getByText('Loading …').waitFor({ state: 'detached' });
    chosen.resolve();
    await page.getByLabel('Log scale').check();
    expect(await page.getByRole('alert').textContent()).toMatch(/^Last day: It must/);
    expect(await page.getByRole('row').count()).toBe(0);
  });

  test('scrolls the error or the chart into view on a phone', async () => {
    const page = await openWeek();
    await page.setViewportSize({ width: 390, height: 664 });
    const isInView = async (name: RegExp) => {
      const { y = -1 } = (await page.getByText(name).first().boundingBox()) ?? {};
      return y >= 0 && y < 664;
    };
    await draw(page, 'wrong');
    await page.getByRole('alert').getByRole('paragraph').waitFor();
    expect(await isInView(/its key is not valid/)).toBe(true);
    await draw(page);
    await coverage(page).nth(1).waitFor();
    expect(await isInView(/^Fees per day, /)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('draws one chain under its own name when the other fails', async () => {
    const page = await openWeek();
    await page.route('**/fees?chain=ETHEREUM*', (route) => route.abort(), { times: 1 });
    await draw(page);
    await page.getByRole('alert').getByText('Ethereum: Could not reach the service').waitFor();
    const base = await feesOf('BASE');
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Day', 'Base (ETH)'],
      ...base.map(({ date, fees }) => [date, fees]).toReversed(),
    ]);
    expect(await page.locator('.readout li').allTextContents()).toEqual([`Base${base.at(-1)?.fees}`]);
    const { name, bytes } = await downloadFrom(page, 'Download CSV');
    expect(name).toBe(`chain-insights_fees_BASE_${week.start_date}_${week.end_date}.csv`);
    expect(bytes.toString()).toMatch(/^date,fees\r\n/);
    // The next draw requests every chain again.
    await draw(page);
    await page.getByRole('columnheader', { name: 'Ethereum (ETH)' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  test('states that the charts are outdated when all chains fail', async () => {
    const page = await openWeek();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    await page.route('**/transaction_count?*', (route) => route.abort(), { times: 2 });
    await page.getByLabel('Transactions').check();
    await page.getByRole('alert').getByText('The charts below still show the previous request.').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).toMatch(/^Fees per day, /);
  });

  test('shows the detail of the API for a wrong key, and the chart for a valid one', async () => {
    const page = await openWeek();
    await draw(page, 'wrong');
    const response = await callApi('fees', 'BASE', 'application/json', 'wrong');
    const { detail } = (await response.json()) as { detail: string };
    await page.getByRole('alert').getByText(detail).waitFor();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  test('offers curl commands that return the same figures', async () => {
    const page = await openWeek();
    const lines = await page.locator('#curl code').allTextContents();
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^curl -s '\S+' -H "X-API-Key: \$CHAIN_INSIGHTS_KEY"$/);
    const [, curlUrl = ''] = /'(.*?)'/.exec(lines[1] ?? '') ?? [];
    const response = await fetch(curlUrl, { headers: { 'X-API-Key': KEY } });
    expect(await response.json()).toEqual(await feesOf('BASE'));
  });

  test('a link restores the view, and the key is stored nowhere', async () => {
    const page = await openWeek();
    await draw(page);
    await chain(page, 'Base').uncheck();
    await page.getByLabel('Log scale').check();
    await coverage(page).nth(1).waitFor({ state: 'detached' });
    const kept = await page.evaluate(
      'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(KEY);

    const another = await openTab(page.url().slice(url.length));
    expect(await chain(another, 'Base').isChecked()).toBe(false);
    expect(await another.getByLabel('Log scale').isChecked()).toBe(true);
    expect(await another.getByLabel('API key').inputValue()).toBe('');
    expect(await another.getByText('Enter your API key').isVisible()).toBe(true);
  });

  test('keeps a key in the tab on request, also for the API reference', async () => {
    const page = await openWeek();
    await page.getByLabel('Keep the key in this tab').check();
    await draw(page);
    await coverage(page).nth(1).waitFor();
    await page.reload();
    await coverage(page).nth(1).waitFor();
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(KEY);

    await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click();
    await page.getByText('The key of the explorer is used.').waitFor();
    await page.goBack();
    await page.getByLabel('Keep the key in this tab').uncheck();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  /** Returns the accessibility violations of a page, wide and light or narrow and dark, and saves screenshots. */
  async function auditPage(tab: Page, name: string, fullPage: boolean) {
    const found: unknown[] = [];
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      await tab.emulateMedia({ colorScheme });
      await tab.setViewportSize({ width, height: 900 });
      await tab.screenshot({ path: `${SCREENSHOTS}/${name}-${colorScheme}-${width}.png`, fullPage });
      found.push(...(await runAxe(tab)).map((violation) => ({ colorScheme, width, ...violation })));
      const isWider = await tab.evaluate(`document.documentElement.scrollWidth > ${width}`);
      if (isWider) found.push({ width, id: 'wider than the screen' });
    }
    return found;
  }

  async function runAxe(tab: Page) {
    const { violations } = await tab.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, any }) => [html, any[0]?.message]),
    }));
  }

  /** Opens a tab with axe, which is injected before the page because its content security policy blocks other scripts. */
  async function openWithAxe(path: string): Promise<Page> {
    // axe would measure the contrast of colors in transition.
    const own = await browser.newContext({ reducedMotion: 'reduce' });
    await own.addInitScript({ content: axe.source });
    return openTab(path, own);
  }

  test('axe finds no violation in the explorer', async () => {
    const tab = await openWithAxe('/?average=7');
    await draw(tab);
    await coverage(tab).nth(1).waitFor();
    expect(await auditPage(tab, 'explorer', true)).toEqual([]);
  });

  test('no test logged an error, requested another host or put the key into a URL', () => {
    expect(pageErrors).toEqual([]);
  });
});
