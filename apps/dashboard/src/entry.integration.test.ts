import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (!noBrowser) [served, browser] = await Promise.all([serveWorkspace(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'scripts and styles are sent compressed: the first load is less than 200 kB',
  async () => {
    const html = await (await fetch(served.url)).text();
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, file]) => file ?? '',
    );
    const headers = await Promise.all(files.map(async (file) => (await fetch(served.url + file)).headers));
    expect(new Set(headers.map((of) => of.get('content-encoding')))).toEqual(new Set(['gzip']));
    const bytes = headers.reduce((sum, of) => sum + Number(of.get('content-length')), html.length);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
  },
);

test.skipIf(noBrowser)(
  'a browser without a link is told how to get one, and nothing is retried',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, context } = opened;
    await context.clearCookies();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/')) requests += 1;
    });
    await page.reload();
    await page.getByText('signalbox dashboard').waitFor();
    expect(requests).toBe(1);
  },
);

test.skipIf(noBrowser)(
  'a signed-out browser sees the sign-in page at its next request, and no old page',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, context } = opened;
    await page.getByText('Connected', { exact: true }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  },
);
