import type { Browser, Page } from 'playwright-core';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { describeInBrowser, launchBrowser } from '#test/support/processes/browser.ts';
import { API_KEY, requestService, startServiceProcess } from '#test/support/processes/service-process.ts';

/* The pages in a real browser, served by the local service with two development chains. */

const yesterday = addDays(dayOf(Date.now() / 1000), -1);
const week = { start_date: addDays(yesterday, -6), end_date: yesterday };

let service: ReturnType<typeof startServiceProcess>;
let url: string;
let browser: Browser;
let page: Page;

describeInBrowser('the pages of the local service', () => {
  beforeAll(async () => {
    service = startServiceProcess({ RPC_URLS_ETHEREUM: '', RPC_URLS_BASE: '' });
    [url, browser] = await Promise.all([service.ready(), launchBrowser()]);
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    service.child.kill('SIGKILL');
  });

  test('the printed link opens the explorer with the key, which leaves the address', async () => {
    const link = await service.says(/explore: +(\S+)/);
    // In a page that is open already, only the hash changes.
    for (const links of [[link], [link.replace(/#.*/, ''), link]]) {
      const tab = await (await browser.newContext()).newPage();
      for (const one of links) await tab.goto(one);
      await tab.getByText('Latest final day').or(tab.getByText(yesterday)).first().waitFor();
      expect(tab.url()).not.toContain(API_KEY);
      await tab.context().close();
    }
  });

  test('the explorer shows every digit of the API, and no day as missing', async () => {
    await page.goto(`${url}/?${new URLSearchParams({ chains: 'ETHEREUM,BASE', ...week })}`);
    await page.getByLabel('API key').fill(API_KEY);
    await page.getByLabel('API key').press('Enter');
    await page.getByText('No day missing').waitFor();
    const rows = await requestService<{ date: string; fees: string }[]>(url, 'fees', {
      chain: 'BASE',
      ...week,
    });
    expect(await page.locator('.restated').count()).toBe(0);
    const cells = page.locator('tbody tr');
    expect(await cells.count()).toBe(7);
    for (const [index, { date, fees }] of rows.toReversed().entries()) {
      expect(await cells.nth(index).getByRole('rowheader').textContent()).toBe(date);
      expect(await cells.nth(index).getByRole('cell').nth(1).getAttribute('title')).toBe(`${fees} ETH`);
    }
  });

  test('the card of a chain has the sums of the running day', async () => {
    const { transaction_count, through } = await requestService<{
      transaction_count: number;
      through: { time: string };
    }>(url, 'today', { chain: 'BASE' });
    await page.getByLabel('Figure', { exact: true }).selectOption('transaction_count');
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Base' }) });
    await card.getByText(`Today so far, ${through.time.slice(11, 16)} UTC`).waitFor();
    await card.locator('.so-far').getByText(String(transaction_count), { exact: true }).waitFor();
  });

  test('pages of this machine may show the chart in a frame', async () => {
    const embedded = await fetch(`${url}/embed`);
    expect(embedded.status).toBe(200);
    expect(embedded.headers.get('Content-Security-Policy')).toContain('frame-ancestors http://localhost:*');
    expect((await fetch(url)).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });
});
