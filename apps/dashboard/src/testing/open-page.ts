import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.ts';
import type { ServedWorkspace } from './serve-workspace.ts';

/** A signed-in tab of a real browser, and its errors. */
export type OpenPage = AsyncDisposable & {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions, and requests to another host. */
  readonly faults: readonly string[];
  goTo(page: string): Promise<void>;
};

const WAIT_MS = 60_000;
const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** The system's Chromium, headless, without network services. */
export function openBrowser(): Promise<Browser> {
  const found = findChromium();
  return chromium.launch({
    ...(found === null ? {} : { executablePath: found }),
    // Chromium's own sandbox refuses to start for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
}

export async function openPage(
  browser: Browser,
  served: ServedWorkspace,
  options: { readonly viewport?: typeof DESK; readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: DESK, colorScheme: 'light', ...options });
  // Shorter than the test's own timeout, so that the error names what was waited for.
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== served.url) faults.push(`request to ${request.url()}`);
  });
  await page.goto(await served.link());
  await page.locator('main h1').waitFor();
  return {
    page,
    context,
    faults,
    async goTo(name) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${name}`);
      await page.locator(`main[data-page="${name.split('/')[0] ?? ''}"] h1`).waitFor();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
