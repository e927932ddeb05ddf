import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** What Chromium and its relatives are called, in the folders of PATH and where macOS has them. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, MACOS].find((place) => existsSync(place));
}

const executablePath = findChromium();

/** The tests of a file in a real browser. Where none is installed they are skipped, and say so. */
export function describeInBrowser(title: string, tests: () => void): void {
  // What is logged by a file whose tests are all skipped, jest does not show.
  if (!executablePath)
    process.stderr.write(
      `SKIPPED for want of Chromium: ${title}. Install it, or name it in CHROMIUM_PATH.\n`,
    );
  (executablePath ? describe : describe.skip)(title, tests);
}

export const launchBrowser = () =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    // Machines that run tests have no GPU, and to imitate one takes time. As root, as whom containers often run, Chromium has no sandbox.
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
