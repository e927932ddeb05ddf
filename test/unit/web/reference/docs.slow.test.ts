import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chainStore } from '#core/store/table/table.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import { describeInBrowser, launchBrowser } from '#test/support/processes/browser.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';

/* The API reference in a real browser, served by the local gateway. */

const SCREENSHOTS = 'test-output/screenshots';

describeInBrowser('the API reference', () => {
  let browser: Browser;
  const errors: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  afterAll(() => browser.close());
  const { url } = useApi(async (table) => {
    const figures = { transaction_count: 9, fees: '0.000000000000000001' };
    await putStoredDay(table, servedDay('ETHEREUM', '2025-11-01', figures), undefined);
    await refreshCoverage(chainStore(table, 'ETHEREUM'), '2025-11-01');
  });

  async function open(colorScheme: 'light' | 'dark' = 'light', width = 1440): Promise<Page> {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    // Before the page, whose content security policy blocks other scripts.
    await context.addInitScript({ content: axe.source });
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      const isOwn = !message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && isOwn) errors.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url()) || request.url().includes(KEY)) errors.push(request.url());
    });
    await page.goto(`${url()}/docs`);
    return page;
  }
  const fees = (page: Page) => page.locator('[data-path="/api/chain-insights/fees"]');

  test('sends a request with the inputs and the key, and shows status, headers and rows', async () => {
    const page = await open();
    await fees(page).getByRole('button', { name: 'Send' }).click();
    const answer = fees(page).locator('output');
    await answer.getByText('Enter your key').waitFor();
    await page.getByLabel('Your key').fill(KEY);
    await page.getByLabel('Your key').press('Enter');
    await fees(page).getByLabel('start_date').fill('2025-11-01');
    await fees(page).getByLabel('end_date').fill('2025-11-01');
    await fees(page).getByRole('button', { name: 'Send' }).click();
    await answer.getByText('0.000000000000000001').waitFor();
    expect(await answer.textContent()).toMatch(/^200 OK\n(.*\n)*x-fees-currency: ETH/);
    await fees(page).getByLabel('end_date').fill('2025-10-01');
    await fees(page).getByRole('button', { name: 'Send' }).click();
    await answer.getByText('must not be before start_date').waitFor();
  });

  test('the programs follow the inputs, and Copy copies them without the key', async () => {
    const page = await open();
    await page.getByLabel('Your key').fill(KEY);
    await page.getByLabel('Your key').press('Enter');
    await fees(page).getByLabel('chain', { exact: true }).selectOption('BASE');
    await fees(page).getByLabel('interval').selectOption('month');
    await fees(page).getByText('TypeScript').click();
    await fees(page).getByRole('button', { name: 'Copy' }).last().click();
    await fees(page).getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`url: '${url()}'`);
    expect(copied).toContain(
      "chain: 'BASE',\n  startDate: '30-days-ago',\n  endDate: 'yesterday',\n  interval: 'month'",
    );
    expect(copied).not.toContain(KEY);
  });

  test('refuses a key that no header can hold, at the field', async () => {
    const page = await open();
    await page.getByLabel('Your key').fill('schlüssel');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('invalid character').waitFor();
    expect(await page.getByLabel('Your key').getAttribute('aria-invalid')).not.toBeNull();
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'axe finds no violation in the %s theme at %i px, and nothing scrolls sideways',
    async (theme, width) => {
      const page = await open(theme, width);
      await page.screenshot({ path: `${SCREENSHOTS}/reference-${width}-${theme}.png` });
      const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test('no test logged an error, requested another host or put the key into a URL', () => {
    expect(errors).toEqual([]);
  });
});
