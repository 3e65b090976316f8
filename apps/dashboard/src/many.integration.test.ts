import { aCommandId, aSessionId } from '@signalbox/core/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser } from './testing/open-page.ts';
import { openStandInServer } from './testing/stand-in-server.ts';

const noBrowser = findChromium() === null;
let browser: Browser;

beforeAll(async () => {
  if (!noBrowser) browser = await openBrowser();
});

afterAll(() => browser?.close());

test.skipIf(noBrowser)(
  'of a hundred providers only the visible lanes are drawn, and scrolling finds the last',
  async () => {
    await using served = await openStandInServer({ providers: 100 });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${served.url}/#/live`);
    await page.getByRole('article', { name: 'agent-1', exact: true }).waitFor();
    const drawn = await page.getByRole('article').count();
    expect(drawn).toBeGreaterThan(10);
    expect(drawn).toBeLessThan(40);
    const last = page.getByRole('article', { name: 'agent-99', exact: true });
    expect(await last.count()).toBe(0);
    await page.getByRole('region', { name: 'Lanes' }).evaluate((lanes) => {
      lanes.scrollTop = lanes.scrollHeight;
    });
    await last.waitFor();
    expect(await page.getByRole('article').count()).toBeLessThan(40);
    await page.close();
  },
);

test.skipIf(noBrowser)('Now does not move when a lease comes and goes', async () => {
  await using served = await openStandInServer({ providers: 2 });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${served.url}/#/live`);
  const lane = page.getByRole('article', { name: 'agent-1', exact: true });
  await lane.waitFor();
  const nowAt = (): Promise<number | undefined> =>
    page.getByText('Now', { exact: true }).evaluate((now) => now.getBoundingClientRect().left);
  const before = await nowAt();
  const base = {
    at: Date.now(),
    commandId: aCommandId(),
    sessionId: aSessionId(),
    provider: 'agent-1',
    title: 'bash npm test',
  };
  const claims = [{ resource: 'path:src/a-file-of-a-long-name.ts', access: 'write' }];
  served.tell('message', { ...base, id: '1-1', type: 'command_submitted', tool: 'bash' });
  served.tell('message', {
    ...base,
    id: '1-2',
    type: 'command_started',
    claims,
    fencingToken: 1,
    waitedMs: 0,
  });
  await page.locator('[data-chip]').waitFor();
  const during = await nowAt();
  const end = { tool: 'bash', exitCode: 0, durationMs: 1, latencyMs: 1 };
  served.tell('message', { ...base, id: '1-3', type: 'command_completed', ...end });
  await page.locator('[data-chip]').waitFor({ state: 'detached' });
  expect([during, await nowAt()]).toEqual([before, before]);
  await page.close();
});

test.skipIf(noBrowser)('of 10,000 commands only the visible rows are drawn, down to the oldest', async () => {
  await using served = await openStandInServer({ providers: 20, history: 10_000 });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${served.url}/#/history`);
  const rows = page.getByRole('region', { name: /^About/ });
  await rows.waitFor();
  for (let loaded = 200; loaded < 10_000; loaded += 200) {
    await rows.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await page.getByRole('region', { name: `About ${loaded + 200} commands` }).waitFor();
  }
  await rows.evaluate((box) => {
    box.scrollTop = box.scrollHeight;
  });
  await page.locator('[data-command][href*="p9999"]').waitFor();
  expect(await page.locator('[data-command]').count()).toBeLessThan(80);
  await page.close();
});

test.skipIf(noBrowser)(
  'while the server’s backend is away the page shows the time of its data, and is live again afterwards',
  async () => {
    await using served = await openStandInServer({ providers: 2 });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${served.url}/#/live`);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('article', { name: 'agent-1', exact: true }).waitFor();
    const asOf = Date.UTC(2026, 0, 1, 12, 4, 33);
    served.tell('away', { since: asOf, asOf, why: 'Redis does not answer' });
    const seen = await page.evaluate((at) => new Date(at).toTimeString().slice(0, 8), asOf);
    await page.getByText(`Redis does not answer. Showing the state of ${seen}.`).waitFor();
    await page.getByText('Backend unreachable', { exact: true }).waitFor();
    served.tell('back', {});
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.getByText('Redis does not answer').count()).toBe(0);
    await page.close();
  },
);
