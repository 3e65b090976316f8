import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser } from './testing/open-page.ts';
import { openStandInHouse } from './testing/stand-in-house.ts';

const noBrowser = findChromium() === null;
let browser: Browser;

beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});

afterAll(() => browser?.close());

test.skipIf(noBrowser)(
  'of a hundred providers only the lanes that are seen are drawn, and scrolling finds the last',
  async () => {
    await using house = await openStandInHouse({ providers: 100 });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${house.url}/#/live`);
    await page.getByRole('article', { name: 'agent-1', exact: true }).waitFor();
    const drawn = await page.locator('.lane').count();
    expect(drawn).toBeGreaterThan(10);
    expect(drawn).toBeLessThan(40);
    const last = page.getByRole('article', { name: 'agent-99', exact: true });
    expect(await last.count()).toBe(0);
    await page.getByRole('region', { name: 'Lanes' }).evaluate((lanes) => {
      lanes.scrollTop = lanes.scrollHeight;
    });
    await last.waitFor();
    expect(await page.locator('.lane').count()).toBeLessThan(40);
    await page.close();
  },
);
