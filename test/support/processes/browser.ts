import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';

/** Chromium-based browsers in PATH and on macOS. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, MACOS].find((place) => existsSync(place));
}

const executablePath = findChromium();

/** Runs the tests of a file in a real browser; skips them with a message when none is installed. */
export function describeInBrowser(title: string, tests: () => void): void {
  // Jest hides console output of a file whose tests are all skipped.
  if (!executablePath)
    process.stderr.write(
      `SKIPPED for want of Chromium: ${title}. Install it, or name it in CHROMIUM_PATH.\n`,
    );
  (executablePath ? describe : describe.skip)(title, tests);
}

export const launchBrowser = () =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    // Test machines have no GPU, and emulating one is slow. As root, as in many containers, Chromium needs --no-sandbox.
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });

/**
 * Waits until this holds, ten seconds at most. Playwright's `waitForFunction` evaluates its text in the page,
 * which the pages' Content-Security-Policy forbids.
 */
export async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 100; tries > 0 && !(await holds()); tries--) await setTimeout(100);
}
