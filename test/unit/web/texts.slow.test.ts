import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser, waitUntil } from '#test/support/processes/browser.ts';
import { CANNED_KEY, CANNED_NOW, startCannedService } from '#test/support/servers/canned-service.ts';

/* The pages while a browser translates them: like Google Translate, it replaces text nodes with elements. */

/** Replaces each text at once and after each change. Only the second form respects what says that it is not to be translated. */
const translator = (exempt: string) => `(() => {
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter((one) => !one.parentElement.closest(${JSON.stringify(exempt)}))) {
      const [outer, inner] = ['font', 'font'].map((name) => document.createElement(name));
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  new MutationObserver(translate).observe(document.body, { subtree: true, childList: true, characterData: true });
  translate();
})()`;
const IN_NO_HTML = 'svg, script, style, font';
const EVERYTHING = translator(IN_NO_HTML);
const WHAT_MAY_BE = translator(`${IN_NO_HTML}, [translate=no]`);

const NOVEMBER = 'start_date=2026-11-01&end_date=2026-11-21';

type Step = (tab: Page) => Promise<unknown>;

const choose =
  (label: string, value: string): Step =>
  (tab) =>
    tab.getByLabel(label, { exact: true }).selectOption(value);
const press =
  (name: string): Step =>
  async (tab) => {
    await tab.getByRole('button', { name, exact: true }).first().click();
    // A chart that moves below the mouse would show its date, sooner or later.
    await tab.mouse.move(0, 0);
  };
const key =
  (name: string): Step =>
  (tab) =>
    tab.getByRole('slider').first().press(name);

const inExplorer: readonly Step[] = [
  choose('Figure', 'fees_usd'),
  choose('Figure', 'transaction_count'),
  key('End'),
  key('ArrowLeft'),
  press('Base'),
  choose('Period', 'week'),
  choose('Mode', 'share'),
  choose('Period', 'month'),
  choose('Mode', 'lines'),
  choose('Period', 'day'),
  choose('Figure', 'median_fee'),
  choose('Figure', 'fees'),
  press('7-day average'),
  choose('Range', '30 days'),
  press('Log'),
  press('Base'),
  press('BSC'),
  press('Day'),
  press('Base (ETH)'),
  (tab) => tab.getByLabel('First day (UTC)').fill('2026-11-05'),
  async (tab) => {
    await tab.locator('.badge summary').click();
    await press('2026-11-10')(tab);
  },
  press('Day after ›'),
  press('‹ Day before'),
  press('‹ Day before'),
  choose('Chain of this day', 'BSC'),
  press('Close'),
  (tab) => tab.getByRole('link', { name: 'Morning' }).click(),
  press('Transactions'),
  press('Fees'),
];
const inEmbed: readonly Step[] = [
  key('Home'),
  key('ArrowRight'),
  press('7-day average'),
  press('Log'),
  press('Events'),
  key('Escape'),
];

let service: Awaited<ReturnType<typeof startCannedService>>;
let browser: Browser;
let context: BrowserContext;
const errors: string[] = [];

describeInBrowser('a page that a browser translates', () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([startCannedService('http://localhost:*'), launchBrowser()]);
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await context.clock.setFixedTime(CANNED_NOW);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function open(path: string, hasKey = true): Promise<Page> {
    const tab = await context.newPage();
    tab.on('pageerror', ({ message }) => errors.push(message));
    if (hasKey) await tab.addInitScript(`sessionStorage.setItem('chain-insights-key', '${CANNED_KEY}')`);
    await tab.goto(`${service.url}/${path}`);
    return tab;
  }
  const textOf = (tab: Page) => tab.evaluate<string>("document.querySelector('main').textContent");
  /** Returns the texts of two pages, once they are equal or have had ten seconds for it. */
  async function textsOf(plain: Page, translated: Page): Promise<readonly string[]> {
    for (let tries = 100; ; tries--) {
      const texts = await Promise.all([textOf(plain), textOf(translated)]);
      if (texts[0] === texts[1] || tries === 0) return texts;
      await plain.waitForTimeout(100);
    }
  }

  test.each([
    ['the explorer', `?chains=ETHEREUM,BASE&${NOVEMBER}`, inExplorer],
    ['the embedded chart', `embed?chains=ETHEREUM,BASE&${NOVEMBER}`, inEmbed],
  ])('%s shows what one shows that is not translated, after each change', async (_, path, steps) => {
    const [plain, translated] = [await open(path), await open(path)];
    for (const tab of [plain, translated]) await tab.getByRole('slider').first().waitFor();
    await translated.evaluate(EVERYTHING);
    for (const [index, step] of steps.entries()) {
      const before = await textOf(plain);
      await step(plain);
      await waitUntil(async () => (await textOf(plain)) !== before);
      await step(translated);
      const [text, shown] = await textsOf(plain, translated);
      expect([index, shown]).toEqual([index, text]);
      // A link to another view loads the page again.
      if (!(await translated.locator('font').count())) await translated.evaluate(EVERYTHING);
    }
    expect(errors).toEqual([]);
    await Promise.all([plain.close(), translated.close()]);
  });

  test.each([
    ['the explorer', `?chains=ETHEREUM,BASE&${NOVEMBER}&day=BASE,2026-11-05`, true],
    ['the embedded chart', `embed?chains=ETHEREUM,BASE&${NOVEMBER}`, true],
    ['the morning', '?show=morning', true],
    ['the page before a key', `?chains=BASE&${NOVEMBER}`, false],
    ['the reference', 'docs', false],
  ])('%s lets no figure, date, code or control be translated', async (_, path, hasKey) => {
    const tab = await open(path, hasKey);
    await tab.getByRole('button').last().waitFor();
    if (hasKey && !path.includes('morning')) await key('End')(tab);
    if (path.includes('day=')) await tab.getByText('Why this day?').waitFor();
    if (path.includes('morning')) await tab.locator('.spark').first().waitFor();
    await tab.evaluate(WHAT_MAY_BE);
    const texts = await tab.locator('font > font').allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => /\d{4}-\d\d-\d\d|\d[\d,.]* (ETH|USD)/.test(text))).toEqual([]);
    const kept = ':is(button, select, summary, code, pre, output, .amount, .tooltip, dd)';
    expect(await tab.locator(`${kept} font`).allTextContents()).toEqual([]);
    await tab.close();
  });

  test('each text of the explorer is all of its element', async () => {
    const tab = await open(`?chains=ETHEREUM,BASE&${NOVEMBER}&day=BASE,2026-11-05`);
    await tab.getByText('Why this day?').waitFor();
    const mixed = await tab.evaluate<string[]>(`Array.from(document.querySelectorAll('main *'))
      .filter(({ childNodes }) => childNodes.length > 1 && [...childNodes].some(({ nodeType }) => nodeType === 3))
      .map(({ outerHTML }) => outerHTML)`);
    expect(mixed).toEqual([]);
    await tab.close();
  });
});
