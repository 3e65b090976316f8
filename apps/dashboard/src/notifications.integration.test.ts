import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([
    serveWorkspace('approval: { prompt_on_warning: true }\n'),
    openBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)('the tab shows pending approvals, and a sound can be enabled', async () => {
  await using opened = await openPage(browser, served);
  const { page, faults } = opened;
  const asked = await served.send('openai', 'touch heard');
  await opened.goTo(`approvals/${asked.id}`);
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) /);
  const icon = page.locator('link[rel=icon]');
  await expect.poll(() => icon.getAttribute('href')).toMatch(/^data:image\/svg\+xml,/);
  const sound = page.getByLabel('Play a sound for new approvals');
  await sound.click();
  await expect.poll(() => sound.isChecked()).toBe(true);
  expect(faults).toEqual([]);
});

test.skipIf(noBrowser)(
  'an approval that arrives while the page is hidden is one notification, and a click opens the approval',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, faults } = opened;
    // Headless Chromium grants no permission.
    await page.evaluate(() => {
      Object.defineProperty(Notification, 'permission', { value: 'granted' });
      Notification.requestPermission = () => Promise.resolve('granted');
    });
    await opened.goTo('approvals');
    const choice = page.getByLabel('Notify me when this page is in the background');
    await choice.click();
    await expect.poll(() => choice.isChecked()).toBe(true);
    await opened.goTo('live');
    // A headless browser hides no page, and its notifications can't be clicked.
    await page.evaluate(() => {
      const shown: Notification[] = [];
      const Shown = class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(this);
        }
      };
      Object.assign(globalThis, { Notification: Shown, shown });
      Object.defineProperty(document, 'hidden', { value: true });
    });
    const asked = await served.send('gemini', 'touch notified');
    const bodies = (): Promise<readonly string[]> =>
      page.evaluate(() => (globalThis as unknown as WithShown).shown.map(({ body }) => body));
    await expect.poll(bodies).toEqual(['New approval: touch notified, warning, from gemini']);
    await page.evaluate(() =>
      (globalThis as unknown as WithShown).shown[0]?.dispatchEvent(new Event('click')),
    );
    await page.waitForURL(new RegExp(`#/approvals/${asked.id}$`));
    expect(await bodies()).toHaveLength(1);
    expect(faults).toEqual([]);
  },
);

type WithShown = { readonly shown: readonly Notification[] };
