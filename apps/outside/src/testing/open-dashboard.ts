import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The system's Chromium, or that of `SIGNALBOX_CHROMIUM`; null if there is none, which in CI is an error. */
export function findChromium(): string | null {
  const { SIGNALBOX_CHROMIUM: named, PATH = '', CI, REQUIRE_CHROMIUM } = process.env;
  if (named !== undefined) return named;
  const files = PATH.split(':').flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = files.find(isProgram) ?? null;
  if (found === null && (CI ?? REQUIRE_CHROMIUM) !== undefined)
    throw new Error('Cannot open the dashboard: no Chromium on the PATH, and SIGNALBOX_CHROMIUM is not set');
  return found;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A tab of a real browser that opens a link of `signalbox dashboard`. */
export async function openDashboard(link: string, executablePath: string): Promise<Page> {
  const browser = await chromium.launch({
    executablePath,
    // Chromium's own sandbox refuses to start for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  await page.goto(link);
  return page;
}
