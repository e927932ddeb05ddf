import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { chainNames, chainOf } from '#core/chains/chains.ts';
import { endServer, listen } from '#local/listen.ts';
import { describeInBrowser, launchBrowser, waitUntil } from '#test/support/processes/browser.ts';
import {
  CANNED_KEY,
  CANNED_NOW,
  cannedChains,
  cannedDay,
  cannedToday,
  startCannedService,
  statusOf,
} from '#test/support/servers/canned-service.ts';
import { chainLabel } from '#web/model/labels.ts';
import { recordedBlocks } from '#web/open/recorded-blocks.ts';

/* The explorer in a real browser, with canned days. The last test file of the browser uses the real service: pages.slow.test.ts. */

const SCREENSHOTS = 'test-output/screenshots';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** A page of another origin with an embedded chart, which it gives its key. */
const embedder = {
  url: '',
  server: createServer((_, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<iframe src="${service.url}/embed?chains=BASE"></iframe><script>
      addEventListener('message', ({ source, data }) => data.ready && source.postMessage({ key: '${CANNED_KEY}' }, '*'));
    </script>`);
  }),
};

/** Errors, requests to other hosts and leaked keys, over all tests. */
const pageErrors: string[] = [];

let service: Awaited<ReturnType<typeof startCannedService>>;
let browser: Browser;
let context: BrowserContext;
let page: Page;

async function newContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  // axe would measure the contrast of colors in transition.
  const created = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
  await created.clock.setFixedTime(CANNED_NOW);
  return created;
}

async function newTab(on = context): Promise<Page> {
  const tab = await on.newPage();
  tab.on('pageerror', ({ message }) => pageErrors.push(message));
  tab.on('console', (message) => {
    // The browser itself logs each error response.
    const isOwn = !message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && isOwn) pageErrors.push(message.text());
  });
  tab.on('request', (request) => {
    const isOwn = [service.url, embedder.url, 'blob:', 'data:'].some((start) =>
      request.url().startsWith(start),
    );
    if (!isOwn) pageErrors.push(request.url());
    if (request.url().includes(CANNED_KEY)) pageErrors.push(`the key is in ${request.url()}`);
  });
  return tab;
}

/** Opens a page with a key that the tab keeps. */
async function openWithKey(query: string, tab = page): Promise<void> {
  await tab.addInitScript(`sessionStorage.setItem('chain-insights-key', '${CANNED_KEY}')`);
  await tab.goto(`${service.url}/${query}`);
}

/** Opens the explorer. */
async function open(query: string, tab = page): Promise<void> {
  await openWithKey(query, tab);
  await tab.locator('.controls').waitFor({ state: 'attached' });
}

/** Opens the explorer, and waits for the chart. */
async function openChart(query: string): Promise<void> {
  await open(query);
  await plot().waitFor();
}

async function enterKey(): Promise<void> {
  await page.getByLabel('API key').fill(CANNED_KEY);
  await page.getByLabel('API key').press('Enter');
}

const JUNE = 'start_date=2026-06-01&end_date=2026-06-30';
const NOVEMBER = 'start_date=2026-11-01&end_date=2026-11-21';

const plot = (tab = page) => tab.getByRole('slider').first();
/** Waits until the chart reads out what begins with this: it is drawn again a moment after a key. */
const waitForReading = (start: string) =>
  page.locator(`[role=slider][aria-valuetext^="${start}"]`).first().waitFor();
const title = () => page.getByRole('heading', { level: 1 }).textContent();
const waitForFocus = (id: string) => page.locator(`#${id}:focus`).waitFor();
const focusedText = () => page.evaluate<string>('document.activeElement.textContent');
const chip = (name: string) => page.getByRole('button', { name, exact: true });
const card = (name: string) => page.getByRole('article').filter({ has: page.getByRole('heading', { name }) });
const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? -1;
const pathsOf = (chain: string) => page.locator(`path.line[data-chain=${chain}]`).getAttribute('d');

async function downloadFrom(button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Changes a byte of the recorded block on the page before a key. */
async function refuseReceipt(): Promise<void> {
  await page.getByLabel('Change one byte of').selectOption('receipt');
  await page.getByText('Refused: no figure of this block').waitFor();
}

/** Counts the pixels of a PNG that have the color of Optimism. */
const coloredPixels = (png: Buffer) =>
  page.evaluate<number>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const { width, height } = image;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const isColor = (at) => [197, 48, 63].every((part, index) => data[at + index] === part);
    return Array.from({ length: width * height }, (_, index) => index * 4).filter(isColor).length;
  })()`);

/** Drags the mouse over a part of the first chart. */
async function drag(from: number, to: number): Promise<void> {
  const { x, y, width } = (await plot().boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(x + width * from, y + 80);
  await page.mouse.down();
  await page.mouse.move(x + width * to, y + 90, { steps: 3 });
  await page.mouse.up();
}

async function runAxe(tab: Page) {
  await tab.evaluate(axe.source);
  const { violations } = await tab.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, any }) => [html, any[0]?.message]),
  }));
}

describeInBrowser('the explorer in a browser', () => {
  beforeAll(async () => {
    const port = await listen(embedder.server, { port: 0 });
    embedder.url = `http://localhost:${port}/`;
    [service, browser] = await Promise.all([startCannedService(`http://localhost:${port}`), launchBrowser()]);
    context = await newContext();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  beforeEach(async () => {
    page = await newTab();
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser.close();
    await Promise.all([service.close(), endServer(embedder.server)]);
  });

  describe('the key', () => {
    test('says what it will show, and draws it after Enter', async () => {
      await page.goto(`${service.url}/?chains=BSC&${JUNE}`);
      await page.getByText('With it, this page shows BSC: Fees per day, 2026-06-01 to 2026-06-30.').waitFor();
      await enterKey();
      await plot().waitFor();
      await waitForFocus('main');
      expect(await page.getByLabel('API key').count()).toBe(0);
      const kept = await page.evaluate(
        'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(kept).not.toContain(CANNED_KEY);
    });

    test('explains a wrong key without HTTP words, and marks its field as invalid', async () => {
      await page.goto(service.url);
      const field = page.getByLabel('API key');
      await field.fill('wrong');
      expect(await field.getAttribute('aria-invalid')).toBe('false');
      await field.press('Enter');
      await page.getByText('The service did not accept this key. Check that you copied all of it').waitFor();
      expect(
        await page
          .locator('form')
          .getByText(/header/i)
          .count(),
      ).toBe(0);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await field.fill('  ');
      await field.press('Enter');
      await page.getByText('Enter your API key.').waitFor();
      await page.getByRole('heading', { name: 'Prove a block yourself' }).waitFor();
      await page.getByText('To get a key, ask the operator.').waitFor();
    });

    test('is kept in the browser on request, until it is forgotten there', async () => {
      await page.goto(service.url);
      await page.getByLabel('Keep it in this browser').check();
      await enterKey();
      await plot().waitFor();
      const other = await newTab();
      await other.goto(service.url);
      await plot(other).waitFor();
      await other.close();
      await page.getByText('Key ✓').click();
      await page.getByText('This browser keeps it').waitFor();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await waitForFocus('key');
      expect(await page.evaluate("localStorage.getItem('chain-insights-key')")).toBeNull();
    });
  });

  describe('without a key', () => {
    test('proves a recorded block in the browser, and refuses it with one byte changed', async () => {
      const steps = async () =>
        (await page.locator('.proof li').allTextContents()).map((text) => text.slice(0, 3));
      await page.goto(service.url);
      await page.getByText('Proven: every step holds.').waitFor();
      expect(await steps()).toEqual(['✓ H', '✓ T', '✓ R', '✓ P', '✓ S']);
      await page.getByText('The fees of the block are 0.108985171685612978 ETH').waitFor();
      await refuseReceipt();
      expect(await steps()).toEqual(['✓ H', '✓ T', '✗ R', '– P', '– S']);
    });

    test('charts the days that the service opens, and real blocks of others where there are none', async () => {
      const recorded = page.getByRole('heading', { name: 'What senders paid in 18 blocks of Ethereum' });
      await page.route(
        '**/public-days.json',
        (route) => route.fulfill({ body: '{"chains":[{"chain":7}]}' }),
        { times: 1 },
      );
      await page.goto(service.url);
      await recorded.waitFor();
      await page.getByText('It is not a figure of this service').waitFor();
      expect(await page.locator('circle.dot').count()).toBe(recordedBlocks.length);
      await page.getByText(`${recordedBlocks.length} blocks`, { exact: true }).click();
      const link = page.getByRole('link', { name: 'block 15,537,394' });
      expect(await link.getAttribute('href')).toBe('https://etherscan.io/block/15537394');
      expect(await page.getByRole('slider').count()).toBe(0);
      const row = cannedDay('BASE', '2026-11-20');
      await page.route('**/public-days.json', (route) =>
        route.fulfill({ json: { chains: [{ chain: 'BASE', rows: [row] }] } }),
      );
      await page.goto(service.url);
      await page.getByText('Figures of this service, 2026-11-20 to 2026-11-20.').waitFor();
      await plot().waitFor();
      expect(await recorded.count()).toBe(0);
      expect(await page.getByText(/sample|invented/i).count()).toBe(0);
    });
  });

  describe('the focus', () => {
    const isInView = async (selector: string) => {
      const top = await topOf(selector);
      return top >= 0 && top < 600;
    };

    test('a click on a peak brings the day into view, and closing it returns', async () => {
      await page.setViewportSize(PHONE);
      await open(`?chains=ETHEREUM,BASE&start_date=2026-10-01&end_date=2026-10-31`);
      await page.locator('.chart-card[aria-busy=false]').waitFor();
      await card('Base').getByRole('button', { name: '2026-10-15' }).click();
      await page.getByRole('heading', { name: 'Base, Thu 2026-10-15' }).waitFor();
      expect(new URL(page.url()).search).toMatch(/&day=BASE,2026-10-15$/);
      await page.getByText('Why this day?').waitFor();
      await page.locator('.day:focus').waitFor();
      expect(await isInView('#day-title')).toBe(true);
      await page.keyboard.press('Escape');
      await page.locator('.day').waitFor({ state: 'detached' });
      expect(await focusedText()).toBe('2026-10-15');
    });

    test('skips to the chart, whose keys continue from their day after Escape', async () => {
      await openChart(`?chains=BASE&${JUNE}`);
      await page.getByRole('button', { name: 'Skip to the chart' }).press('Enter');
      await waitForFocus('plot');
      for (const key of ['Home', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
      await page.locator('.day:focus').waitFor();
      await page.getByRole('heading', { name: 'Base, Tue 2026-06-02' }).waitFor();
      for (const key of ['Escape', 'ArrowRight']) await page.keyboard.press(key);
      await waitForReading('Wed 2026-06-03');
    });

    test('a closed day that nothing on the page opened leaves the focus to the title, without waiting for a frame', async () => {
      await openChart(`?chains=BASE&${JUNE}&day=BASE,2026-06-02`);
      await page.locator('.day:focus').waitFor();
      await page.evaluate('window.requestAnimationFrame = () => 0');
      await page.keyboard.press('Escape');
      await waitForFocus('chart-title');
    });

    test('a peak of weeks leads to the chart of its days', async () => {
      await openChart(
        '?chains=BASE&metric=transaction_count&start_date=2026-09-01&end_date=2026-11-08&interval=week',
      );
      await card('Base').getByRole('button', { name: 'week of 2026-11-02' }).last().click();
      await page.getByRole('heading', { name: 'Transactions per day, 2026-11-02 to 2026-11-08' }).waitFor();
      await waitForFocus('chart-title');
      expect(await isInView('#chart-title')).toBe(true);
    });
  });

  describe('the morning', () => {
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    const openMorning = async () => {
      await openWithKey('?show=morning');
      await row('Polygon').waitFor();
    };

    test('ranks chains of one unit, says what is not final, and leads to the chart of a chain', async () => {
      await openMorning();
      // Polygon had a day without a price, so that fees stay in coins.
      const ether = cannedChains.filter((name) => chainOf(name).coin === 'ETH').toReversed();
      expect(await page.locator('.morning tbody th').allTextContents()).toEqual([
        ...ether.map((name, index) => `${index + 1}. ${chainLabel(name)} ETH`),
        'BSC BNB',
        'Polygon POL',
      ]);
      expect(await page.locator('.morning thead th').allTextContents()).toContain('Sum of this month');
      await row('Polygon').getByText('not final: last is 2026-11-19').waitFor();
      await row('Base').getByText('29 of 30 days').waitFor();
      await page.getByText('Chains of different coins are not ranked together.').waitFor();
      await page.getByRole('button', { name: 'Transactions' }).click();
      await row('Polygon').getByText(`${cannedChains.length}. `).waitFor();
      await page.getByRole('link', { name: 'BSC' }).click();
      await plot().waitFor();
      expect(await page.locator('text.name').allTextContents()).toEqual(['BSC']);
    });

    test('keeps a key that is kept nowhere, also when a chain is opened', async () => {
      await page.goto(service.url);
      await enterKey();
      await plot().waitFor();
      await page.getByRole('link', { name: 'Morning' }).click();
      await page.getByRole('link', { name: 'BSC' }).click();
      await plot().waitFor();
      await page.goBack();
      await row('BSC').waitFor();
    });
  });

  describe('the layout', () => {
    test('lists more than eight chains in a menu with a search, and has chips for those that are shown', async () => {
      const body = JSON.stringify(chainNames.map(statusOf));
      await page.route('**/api/chain-insights/chains', (route) =>
        route.fulfill({ contentType: 'application/json', body }),
      );
      await openChart('?chains=ETHEREUM,BASE');
      const chips = page.locator('.controls .chip');
      expect(await chips.allTextContents()).toEqual(['Ethereum', 'Base']);
      await page.getByText(`${chainNames.length} chains`).click();
      await page.getByLabel('Find a chain').fill('gno');
      const found = page.locator('.chain-list label');
      expect(await found.allTextContents()).toEqual(['Gnosis']);
      await found.getByRole('checkbox').check();
      await chips.getByText('Gnosis').waitFor();
      await page.setViewportSize(PHONE);
      const box = await page.locator('.chain-list > div').boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(PHONE.width);
      await page.getByLabel('Find a chain').fill('nothing');
      await page.getByText('No chain has this name.').waitFor();
    });

    test('begins the chart on the first screen, and keeps all controls in view', async () => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await openChart('?chains=ETHEREUM,BASE');
      expect(await topOf('.plot')).toBeLessThanOrEqual(300);
      const hidden = await page.locator('.controls').evaluate((bar) => bar.scrollWidth - bar.clientWidth);
      expect(hidden).toBe(0);
      await page.evaluate('scrollTo(0, 500)');
      expect(await topOf('.controls')).toBe(0);
      await page.evaluate('scrollTo(0, 0)');
      await page.setViewportSize(PHONE);
      const { y = 0, height = 0, width = 0 } = (await plot().boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(PHONE.height);
      expect(width).toBeGreaterThan(PHONE.width * 0.85);
    });

    test('on a phone, the figures at the cursor stand below the chart, each beside the name of its chain', async () => {
      await page.setViewportSize(PHONE);
      await openChart(`?chains=ETHEREUM,OPTIMISM,BASE&${NOVEMBER}&average=7`);
      await plot().press('End');
      await plot().press('ArrowLeft');
      const rows = page.locator('.tooltip li');
      await rows.first().waitFor();
      const tops = await rows.evaluateAll((all) =>
        all.map(({ children }) => Array.from(children, (one) => one.getBoundingClientRect().top)),
      );
      expect(tops.map(([name, value]) => name === value)).toEqual([true, true, true]);
      const { y = 0, height = 0 } = (await plot().boundingBox()) ?? {};
      expect(await topOf('.tooltip')).toBeGreaterThanOrEqual(y + height);
    });

    test('on a phone, a cursor moves no chart: before it, the figures are those of the last day', async () => {
      await page.setViewportSize(PHONE);
      await openChart(`?chains=ETHEREUM,BSC&${NOVEMBER}`);
      const last = page.getByRole('slider').last();
      await page.locator('.tooltip').getByText('Sat 2026-11-21').last().waitFor();
      await last.scrollIntoViewIfNeeded();
      const before = await last.boundingBox();
      await last.hover({ position: { x: 120, y: 100 } });
      await page.locator('.tooltip').getByText('Sat 2026-11-21').last().waitFor({ state: 'detached' });
      expect(await last.boundingBox()).toEqual(before);
    });

    test('an open day has the chart and the cards beside it', async () => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await open(`?chains=ETHEREUM,BASE&${NOVEMBER}&day=BASE,2026-11-05`);
      await page.getByText('Why this day?').waitFor();
      const [day, chart, cards] = await Promise.all(
        ['.day', '.chart-card', '.cards'].map((selector) => page.locator(selector).boundingBox()),
      );
      if (!day || !chart || !cards) throw new Error('The day, the chart or the cards are not drawn.');
      expect(chart.x + chart.width).toBeLessThan(day.x);
      expect(cards.x + cards.width).toBeLessThan(day.x);
      expect(Math.abs(cards.y + cards.height - day.y - day.height)).toBeLessThan(300);
    });
  });

  describe('loading', () => {
    /** Holds back responses of days until the returned function is called. */
    async function holdBack(pattern: string): Promise<() => void> {
      const answered = Promise.withResolvers<void>();
      await page.route(pattern, async (route: Route) => {
        await answered.promise;
        await route.continue();
      });
      return answered.resolve;
    }

    test('chains are one request, and one that is added later holds back none of them, and is named', async () => {
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/days?') && asked.push(request.url()));
      await openChart(`?chains=ETHEREUM,OPTIMISM&${JUNE}`);
      expect(asked).toHaveLength(1);
      const letGo = await holdBack('**/days?chain=BASE&*');
      await chip('Base').click();
      await page.getByText('Loading Base …').waitFor();
      await page.locator('path.line[data-chain=ETHEREUM]').waitFor();
      letGo();
      await page.locator('path.line[data-chain=BASE]').waitFor();
      expect(await page.getByText('Loading Base').count()).toBe(0);
    });

    test('a skeleton comes first, and later the chart before with its own title until the new one is drawn', async () => {
      const showFirst = await holdBack('**/days?*');
      await open(`?chains=BASE&${JUNE}`);
      await page.locator('.skeleton').waitFor();
      showFirst();
      await plot().waitFor();
      expect(await page.locator('.skeleton').count()).toBe(0);
      const showNext = await holdBack('**/days?*');
      await page.getByLabel('First day').fill('2024-01-01');
      await page.getByText('Loading Base …').waitFor();
      expect(await title()).toBe('Fees per day, 2026-06-01 to 2026-06-30');
      expect(await page.locator('path.line').count()).toBe(1);
      showNext();
      await page.getByRole('heading', { name: 'Fees per day, 2024-01-01 to 2026-06-30' }).waitFor();
    });
  });

  describe('cards', () => {
    test('show a chain alone', async () => {
      await openChart(`?chains=ETHEREUM,BASE&${JUNE}`);
      await page.getByRole('button', { name: 'Only Base' }).click();
      await page.waitForURL(/chains=BASE&/);
      await waitForFocus('chart-title');
      expect(await page.getByRole('article').count()).toBe(1);
    });
  });

  describe('one day', () => {
    test('shows every digit in its column, its blocks, evidence, restatements and the command that verifies it', async () => {
      await open(`?chains=BASE&${JUNE}&day=ARBITRUM,2026-11-05`);
      const panel = page.getByRole('region', { name: 'Arbitrum, Thu 2026-11-05' });
      const {
        fees = '',
        base_fees = '',
        priority_fees = '',
        first_block,
      } = cannedDay('ARBITRUM', '2026-11-05') ?? {};
      await panel.getByText(fees).waitFor();
      for (const text of [
        base_fees,
        priority_fees,
        '0.000213 to 0.000221',
        '0.000936 to 0.000973',
        'User transactions',
        'proven',
        'a.example, b.example',
        'verify found another count',
        'Revision 1, replaced 2026-11-07',
        'fees 2.5, transactions 1,000,001',
      ])
        await panel.getByText(text).first().waitFor();
      // A caller has no clone, and a registry might run what a stranger published under the name.
      expect(await panel.getByText('npx').count()).toBe(0);
      expect(await panel.locator(`code[title="${first_block?.hash}"]`).count()).toBe(1);
      // The chart has it too.
      for (const name of ['Copy link', 'Copy embed'])
        expect(await page.getByRole('button', { name }).count()).toBe(1);
      for (const width of [390, 1_024, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        const excess = await page
          .locator('.day .rows')
          .evaluateAll((lists) => lists.map((one) => one.scrollWidth - one.clientWidth));
        expect(excess).toEqual(excess.map(() => 0));
      }
    });

    test('says which figures of a day are not known', async () => {
      await open(`?chains=BASE&${JUNE}&day=BASE,2026-05-31`);
      await page.getByRole('heading', { name: 'Base, Sun 2026-05-31' }).waitFor();
      await page.getByText('not known').nth(5).waitFor();
      expect(await page.getByText('not known').count()).toBe(6);
      expect(await page.getByText('Priority fees').count()).toBe(1);
    });

    test('shows the hours of the day, a click on one opens the day, and Back returns', async () => {
      await open(`?chains=ETHEREUM&metric=gas_used&${NOVEMBER}&day=BASE,2026-11-05`);
      await page.getByRole('button', { name: 'Show hours' }).click();
      await page.getByRole('heading', { name: 'Gas used per hour, 2026-11-05' }).waitFor();
      await page.locator('text.name').nth(1).waitFor();
      expect(await page.locator('text.name').allTextContents()).toEqual(['Ethereum', 'Base']);
      const table = page.getByRole('region', { name: 'Table of the figures' });
      expect(await table.getByRole('rowheader').first().textContent()).toBe('2026-11-05 23:00 UTC');
      await page.getByRole('button', { name: 'Close' }).click();
      await waitForFocus('chart-title');
      // A chart that moves below the mouse would show its date.
      await page.mouse.move(0, 0);
      await plot().press('Home');
      await waitForReading('2026-11-05 00:00 UTC: Ethereum 21,000');
      await plot().press('Enter');
      await page.getByRole('heading', { name: 'Ethereum, Thu 2026-11-05' }).waitFor();
      for (let steps = 0; steps < 3; steps++) await page.goBack();
      await page.getByRole('heading', { name: 'Gas used per day, 2026-11-01 to 2026-11-21' }).waitFor();
    });

    test('says why it may differ: the 30 days before, its factors, the other chains and upgrades nearby', async () => {
      await open(`?chains=BASE,ETHEREUM&start_date=2026-10-01&end_date=2026-10-31&day=BASE,2026-10-15`);
      const panel = page.getByRole('region', { name: 'Base, Thu 2026-10-15' });
      await panel.getByText('None of the 30 days before had higher fees.').waitFor();
      expect(await panel.getByRole('row', { name: '= fees' }).textContent()).toContain('+902.2');
      await panel
        .getByText('Fees of other chains that day, against their own days before: Ethereum')
        .waitFor();
      const { number = 0 } = cannedDay('BASE', '2026-10-15')?.last_block ?? {};
      const block = panel.getByRole('link', { name: number.toLocaleString('en') });
      expect(await block.getAttribute('href')).toBe(`https://basescan.org/block/${number}`);
      await panel.getByText('python3 recompute.py BASE 2026-10-15').waitFor();
      await open(`?chains=BASE&${NOVEMBER}&day=BASE,2026-11-06`);
      await page.getByRole('link', { name: 'Denim' }).first().waitFor();
    });

    test('opens from the list of missing days, says that it is missing, and moves to the next', async () => {
      await open(`?chains=BASE&${NOVEMBER}`);
      await page.getByText('1 day missing').click();
      await page.locator('.badge').getByRole('button', { name: '2026-11-10' }).click();
      await page.getByRole('heading', { name: 'Base, Tue 2026-11-10' }).waitFor();
      await page.getByText(/^This day is missing, although later days are final/).waitFor();
      await page.getByRole('button', { name: 'Day after' }).click();
      await page.getByRole('heading', { name: 'Base, Wed 2026-11-11' }).waitFor();
      expect(await focusedText()).toBe('Day after ›');
      await page.getByRole('button', { name: 'Close' }).click();
      expect(new URL(page.url()).search).not.toContain('day=BASE');
    });

    test('opens on a click on the chart, on the chain whose line is nearest', async () => {
      // 2 and 5 ETH on an axis to 6.
      await open(`?chains=ETHEREUM,OPTIMISM&${JUNE}`);
      await plot().click({ position: { x: 56, y: 70 } });
      await page.getByRole('heading', { name: 'Optimism, Mon 2026-06-01' }).waitFor();
      await plot().click({ position: { x: 56, y: 300 } });
      await page.getByRole('heading', { name: 'Ethereum, Mon 2026-06-01' }).waitFor();
    });
  });

  describe('the chart', () => {
    test('draws a missing day as a gap with a mark below, and rings no day but a restated one', async () => {
      await openChart(`?chains=ARBITRUM,BASE&${NOVEMBER}`);
      expect((await pathsOf('BASE'))?.match(/M/g)).toHaveLength(2);
      expect(await page.locator('.gap').count()).toBe(1);
      expect(await page.locator('.restated').count()).toBe(1);
      await chip('Ethereum').click();
      await page.locator('path.line[data-chain=ETHEREUM]').waitFor();
      expect((await pathsOf('ETHEREUM'))?.match(/M/g)).toHaveLength(1);
    });

    test('compares and ranks chains in dollars, in one chart, with their coins beside', async () => {
      await openChart(`?chains=ETHEREUM,BSC,POLYGON&metric=fees_usd&${NOVEMBER}&mode=share`);
      expect(await page.getByRole('slider').count()).toBe(1);
      expect(await page.locator('article h2').allTextContents()).toEqual([
        '1. Ethereum',
        '2. BSC',
        '3. Polygon',
      ]);
      // Polygon ends two days before the others.
      expect(await page.locator('article').first().textContent()).toMatch(
        /^1\. EthereumMean per day, 66\.\d% of all9,138\.0 USDTotal of 21 days191,898 USD63\.966 ETH/,
      );
      await page.getByText('Whether the price was right depends on the feed’s operators.').waitFor();
      await page.getByText('Ranked by the mean of a day').waitFor();
      expect(await page.locator('option[value=hour]').isDisabled()).toBe(true);
      await page.getByText(/1 day without this figure on Polygon/).click();
      await page.getByText('without this figure: 2026-11-05').waitFor();
      await open(`?chains=POLYGON&${NOVEMBER}&day=POLYGON,2026-11-05`);
      await page.getByText('None: stale: the price of round 7 was 400 seconds old').waitFor();
      await open(`?chains=POLYGON&${NOVEMBER}&day=POLYGON,2026-11-06`);
      await page.getByRole('region', { name: 'Polygon, Fri 2026-11-06' }).getByText('1.25').waitFor();
    });

    test('draws sums of periods as bars, and one that lacks days apart, with what it has', async () => {
      await openChart(
        `?chains=ETHEREUM,BASE&metric=transaction_count&start_date=2026-09-01&end_date=2026-11-21&interval=month`,
      );
      expect(await page.locator('rect.column:not(.partial)').count()).toBe(4);
      expect(await page.locator('rect.partial').count()).toBe(2);
      // Base lacks one day.
      await page.getByText(/^20,\d{3},\d{3} \(20 of 30 days\)$/).waitFor();
      await card('Base').getByText('Total of 2 months').waitFor();
      expect(await page.locator('path.line').count()).toBe(0);
    });

    test('draws a typical fee in its band, with its bounds, and without modes that add up', async () => {
      await openChart(`?chains=BASE&metric=median_fee&${JUNE}&mode=stacked&average=7`);
      expect(await page.locator('path.band').count()).toBe(1);
      expect(await page.getByLabel('Mode', { exact: true }).inputValue()).toBe('lines');
      expect(await page.locator('option[value=share]').isDisabled()).toBe(true);
      expect(await page.getByRole('article').count()).toBe(0);
      expect(await page.getByRole('cell').first().getAttribute('title')).toBe('0.000213 to 0.000221 ETH');
      await chip('Ethereum').click();
      await page.locator('path.band').waitFor({ state: 'detached' });
      // While the second chain's days load, a frame is in the chart's place.
      await page.locator('text.name').nth(1).waitFor();
      expect(await page.locator('text.name').allTextContents()).toEqual(['Ethereum', 'Base']);
    });

    test('shows events with their sources, and hides them', async () => {
      await open('?chains=BASE&start_date=2026-10-01&end_date=2026-11-21');
      await page.locator('.events text').getByText('Denim').waitFor();
      await page.getByText('1 event in this range').click();
      expect(await page.getByRole('link', { name: 'Source of Denim' }).getAttribute('href')).toMatch(
        /^https:/,
      );
      await chip('Events').click();
      await page.locator('.events text').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toMatch(/&events=off$/);
    });
  });

  describe('the running day', () => {
    test('is hatched after the last day, with its time, and is in no total, peak, table row or CSV', async () => {
      await openChart(`?chains=ETHEREUM,POLYGON&metric=transaction_count&${NOVEMBER}`);
      await page.locator('.running').waitFor();
      await page.locator('.plot text').getByText('so far, 07:37 UTC').waitFor();
      await page.getByText('Ethereum 339,600 transactions, 12% more than yesterday until 07:00.').waitFor();
      await card('Ethereum').getByText('Today so far, 07:37 UTC').waitFor();
      await card('Ethereum').getByText('21,021,966').waitFor();
      await card('Ethereum').getByRole('button', { name: '2026-11-21' }).waitFor();
      expect(await card('Polygon').getByText('so far').count()).toBe(0);
      expect(await page.getByRole('rowheader').first().textContent()).toBe('2026-11-21');
      const { bytes } = await downloadFrom('Download CSV');
      expect(bytes.toString()).not.toContain('2026-11-22');
      await plot().press('End');
      await waitForReading(
        'Sun 2026-11-22: Ethereum 339,600 transactions so far, 07:37 UTC, Polygon no final',
      );
      // There is no panel of a day that is not over.
      await plot().press('Enter');
      await plot().press('ArrowLeft');
      await plot().press('Enter');
      await page.getByRole('heading', { name: 'Ethereum, Sat 2026-11-21' }).waitFor();
    });

    test('is not shown with earlier days, other periods or dollars, and is not compared without hours', async () => {
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/today') && asked.push(request.url()));
      for (const query of [JUNE, `${NOVEMBER}&interval=week`, `${NOVEMBER}&metric=fees_usd`])
        await openChart(`?chains=BASE&${query}`);
      await page.getByText('Whether the price was right').waitFor();
      expect([await page.locator('.running').count(), asked]).toEqual([0, []]);
      await page.route('**/days?*interval=hour*', (route) => route.fulfill({ json: [] }));
      await openChart(`?chains=BASE&metric=transaction_count&${NOVEMBER}`);
      await card('Base').getByText('339,600').waitFor();
      expect(await page.getByText('than yesterday').count()).toBe(0);
    });

    test('counts on each minute, not while the tab is hidden, and at once when it is seen again', async () => {
      const own = await newContext();
      const tab = await newTab(own);
      await own.clock.install({ time: CANNED_NOW });
      let count = 0;
      await tab.route('**/today?*', (route) =>
        route.fulfill({ json: { ...cannedToday('BASE'), transaction_count: 1_000 + ++count } }),
      );
      const become = (state: string) =>
        tab.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`);
      await open(`?chains=BASE&metric=transaction_count&${NOVEMBER}`, tab);
      const amount = (text: string) => tab.locator('.so-far').getByText(text, { exact: true }).waitFor();
      await amount('1,001');
      await own.clock.runFor(60_000);
      await amount('1,002');
      await become('hidden');
      await own.clock.runFor(180_000);
      expect(count).toBe(2);
      await become('visible');
      await amount('1,003');
      await own.clock.runFor(60_000);
      await amount('1,004');
      await own.close();
    });

    test('is said in an embedded chart and in its image', async () => {
      await page.goto(embedder.url);
      const frame = page.frameLocator('iframe');
      await frame.locator('.plot text').getByText('so far, 07:37 UTC').waitFor();
      await frame.getByText('Hatched: 2026-11-22 so far').waitFor();
      const coloredIn = async (query: string) => {
        await openChart(`?chains=OPTIMISM&metric=transaction_count&${query}`);
        await page.locator('text.name').waitFor();
        if (query === NOVEMBER) await page.locator('.running').waitFor();
        return coloredPixels((await downloadFrom('Download PNG')).bytes);
      };
      const without = await coloredIn('start_date=2026-11-01&end_date=2026-11-20');
      expect(await coloredIn(NOVEMBER)).toBeGreaterThan(without + 500);
    });
  });

  describe('zoom', () => {
    test('by mouse narrows title, table and address, moves no button, and Back undoes it', async () => {
      await openChart(`?chains=BASE&${JUNE}`);
      const csv = page.getByRole('button', { name: 'Download CSV' });
      const before = await csv.boundingBox();
      await drag(0.3, 0.6);
      await page.waitForURL(/start_date=2026-06-(?!01)/);
      await page.getByText('Loading').waitFor({ state: 'detached' });
      const [, first = '', last = ''] = /(\S+) to (\S+)$/.exec((await title()) ?? '') ?? [];
      expect(first > '2026-06-01' && last < '2026-06-30').toBe(true);
      expect(await page.title()).toContain(`${first} to ${last}`);
      expect(await page.getByRole('rowheader').first().textContent()).toBe(last);
      expect(await csv.boundingBox()).toEqual(before);
      await page.goBack();
      await page.getByRole('heading', { name: 'Fees per day, 2026-06-01 to 2026-06-30' }).waitFor();
      await page.goForward();
      await page.getByRole('heading', { name: `${first} to ${last}` }).waitFor();
      await page.getByRole('button', { name: 'Reset zoom' }).click();
      await page.getByRole('heading', { name: '2026-06-01 to 2026-06-30' }).waitFor();
    });

    test('by keyboard, with the day read out', async () => {
      await open(`?chains=ETHEREUM,BASE&${JUNE}`);
      await plot().press('Home');
      await waitForReading('Mon 2026-06-01');
      expect(await plot().getAttribute('aria-valuetext')).toMatch(/: Ethereum \S+ ETH, Base \S+ ETH$/);
      await plot().press('ArrowRight');
      await waitForReading('Tue 2026-06-02');
      await drag(0.3, 0.6);
      await page.waitForURL(/start_date=2026-06-(?!01)/);
      await plot().press('Escape');
      await page.waitForURL(/end_date=2026-06-30/);
    });

    test('by two fingers, and one finger moves the cursor', async () => {
      const touching = await newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
      const tab = await newTab(touching);
      await open(`?chains=BASE&${JUNE}`, tab);
      const { x = 0, y = 0 } = (await plot(tab).boundingBox()) ?? {};
      const session = await touching.newCDPSession(tab);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: readonly number[]) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: at.map((left, id) => ({ x: x + left, y: y + 100, id })),
        });
      await touch('touchStart', 100);
      await touch('touchMove', 150);
      await touch('touchEnd');
      await tab.locator('.tooltip').getByText('2026-06-1').waitFor();
      await touch('touchStart', 120, 180);
      await touch('touchMove', 100, 200);
      await touch('touchMove', 60, 240);
      await touch('touchEnd');
      await tab.waitForURL(/start_date=2026-06-(?!01)/);
      await touching.close();
    });
  });

  describe('links and choices', () => {
    test('a link restores the view', async () => {
      await openChart(
        `?chains=ETHEREUM,BSC&metric=execution_fees&${JUNE}&interval=week&mode=indexed&scale=log&events=off`,
      );
      expect(await page.getByLabel('Figure', { exact: true }).inputValue()).toBe('execution_fees');
      expect(await page.getByLabel('Period', { exact: true }).inputValue()).toBe('week');
      expect(await page.getByLabel('Mode', { exact: true }).inputValue()).toBe('indexed');
      expect(await chip('Log').getAttribute('aria-pressed')).toBe('true');
      expect(await chip('BSC').getAttribute('aria-pressed')).toBe('true');
      expect(await chip('Base').getAttribute('aria-pressed')).toBe('false');
    });

    test('a bad link explains what was not followed', async () => {
      await open('?chains=SOLANA,BASE&start_date=2026-06-30&end_date=2026-06-01');
      await page.getByText('This page does not know the chain SOLANA.').waitFor();
      await page.getByText('This page cannot show the days “2026-06-30” to “2026-06-01”').waitFor();
    });

    test('without any chain, or with reversed days, a note takes the place of the chart', async () => {
      await openChart(`?chains=BASE&${JUNE}`);
      await chip('Base').click();
      await page.getByText('Select at least one chain.').waitFor();
      expect(await page.getByRole('slider').count()).toBe(0);
      await page.goBack();
      await page.getByLabel('Last day (UTC)').fill('2026-05-01');
      await page.getByText('The first day is after the last day.').waitFor();
      expect(await page.getByRole('slider').count()).toBe(0);
      expect(await page.getByLabel('Last day (UTC)').getAttribute('aria-invalid')).toBe('true');
    });
  });

  describe('errors', () => {
    test('one failing chain is named, the others are drawn, and a retry draws it', async () => {
      await page.route('**/days?chain=ETHEREUM&*', (route) => route.abort(), { times: 1 });
      await openChart(`?chains=BASE&${JUNE}`);
      await chip('Ethereum').click();
      await page.getByRole('alert').getByText('Ethereum: Could not reach the service').waitFor();
      await page.getByText('Ethereum not loaded; others: No day missing').waitFor();
      await page.locator('text.name').waitFor();
      expect(await page.locator('text.name').allTextContents()).toEqual(['Base']);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('path.line[data-chain=ETHEREUM]').waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    test('a chain that the service does not read is named, and is not asked for', async () => {
      await page.route('**/chains', async (route) => {
        const response = await route.fetch();
        const statuses = (await response.json()) as { chain: string }[];
        await route.fulfill({ json: statuses.filter(({ chain }) => chain !== 'OPTIMISM') });
      });
      await open(`?chains=OPTIMISM,BASE&${JUNE}`);
      await page.getByRole('alert').getByText('Optimism: This service does not read this chain.').waitFor();
      await page.locator('path.line[data-chain=BASE]').waitFor();
    });
  });

  describe('taking data out', () => {
    test('the table rounds and sorts, and copies every digit', async () => {
      await open(`?chains=BASE&start_date=2026-10-01&end_date=2026-10-31`);
      const { fees = '' } = cannedDay('BASE', '2026-10-31') ?? {};
      const cell = page.getByRole('cell').first();
      await cell.waitFor();
      expect((await cell.textContent())?.trim().length).toBeLessThan(8);
      expect(await cell.getAttribute('title')).toBe(`${fees} ETH`);
      await page.getByRole('button', { name: 'Base (ETH)' }).click();
      expect(await page.getByRole('rowheader').first().textContent()).toBe('2026-10-15');
      await page.getByRole('button', { name: 'Day', exact: true }).click();
      const copied = await page.evaluate(`(() => {
        getSelection().selectAllChildren(document.querySelector('tbody tr'));
        const clipboardData = new DataTransfer();
        document.querySelector('tbody').dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData }));
        return clipboardData.getData('text/plain');
      })()`);
      expect(copied).toBe(`2026-10-31\t${fees}`);
    });

    test('CSV has every digit and an empty cell for a missing day, and the curl command names the key by a variable', async () => {
      await openChart(`?chains=ETHEREUM,BASE&${NOVEMBER}`);
      const { name, bytes } = await downloadFrom('Download CSV');
      expect(name).toBe('chain-insights_fees_ETHEREUM_BASE_2026-11-01_2026-11-21.csv');
      expect(bytes.toString()).toContain(`\n2026-11-10,${cannedDay('ETHEREUM', '2026-11-10')?.fees},\r\n`);
      expect(await page.locator('#curl code').textContent()).toMatch(
        /^curl -s '\S+\?chain=ETHEREUM,BASE&\S+' -H "X-API-Key: \$CHAIN_INSIGHTS_KEY"$/,
      );
    });

    test('PNG has a fixed size, the color of the line and a title', async () => {
      await open(`?chains=OPTIMISM&${JUNE}`);
      const { name, bytes } = await downloadFrom('Download PNG');
      expect(name).toBe('chain-insights_fees_OPTIMISM_2026-06-01_2026-06-30.png');
      expect(bytes.readUInt32BE(16)).toBe(2 * 1_248);
      expect(await coloredPixels(bytes)).toBeGreaterThan(1_000);
    });

    test('PNG fills no bar that lacks days', async () => {
      await openChart(`?chains=OPTIMISM&metric=transaction_count&${NOVEMBER}&interval=month`);
      await page.locator('rect.partial').waitFor();
      const { bytes } = await downloadFrom('Download PNG');
      const colored = await coloredPixels(bytes);
      expect([colored > 1_000, colored < 30_000]).toEqual([true, true]);
    });

    test('an embedded chart takes its key from the page around it', async () => {
      await page.goto(embedder.url);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('slider').waitFor();
      expect(await frame.locator('.controls').count()).toBe(0);
      const full = frame.getByRole('link', { name: 'Open in Chain Insights' });
      expect(await full.getAttribute('href')).toBe('./?chains=BASE');
    });
  });

  const shown: readonly [string, string, () => Promise<void>][] = [
    ['front', '', refuseReceipt],
    [
      'chart',
      `?chains=ETHEREUM,ARBITRUM,BSC,OPTIMISM,BASE,POLYGON&${NOVEMBER}&average=7&day=ARBITRUM,2026-11-05`,
      async () => {
        await page.getByText('1 day missing').click();
        await page.getByRole('heading', { name: 'Arbitrum, Thu' }).waitFor();
      },
    ],
    ['morning', '?show=morning', () => page.locator('.spark').first().waitFor()],
  ];

  test.each(shown)(
    'the page %s fits each screen, and axe finds no violation in either theme',
    async (name, query, wait) => {
      for (const [colorScheme, viewport, widths] of [
        ['light', DESKTOP, [768, 1_280, DESKTOP.width]],
        ['dark', PHONE, [320, PHONE.width]],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await (query ? openWithKey(query) : page.goto(service.url));
        await wait();
        // Closed on a phone.
        await page
          .locator('.fold')
          .evaluateAll((folds) => folds.map((fold) => fold.setAttribute('open', '')));
        for (const width of widths) {
          await page.setViewportSize({ ...viewport, width });
          // The chart is drawn again a moment later.
          const scrollWidth = () => page.evaluate('document.documentElement.scrollWidth');
          await waitUntil(async () => (await scrollWidth()) === width);
          expect(await scrollWidth()).toBe(width);
        }
        const path = `${SCREENSHOTS}/${name}-${colorScheme}-${viewport.width}.png`;
        await page.screenshot({ path, fullPage: true });
        expect(await runAxe(page)).toEqual([]);
      }
    },
  );

  test('no test logged an error, requested another host or put the key into an address', () => {
    expect(pageErrors).toEqual([]);
  });
});
