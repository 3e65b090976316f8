import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
const LINE =
  'for n in 1 2 3 4 5 6 7 8 9; do echo waiting for the compiler of the whole shop; done; seq 1000 1099';
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([
    serveWorkspace(undefined, 'approval: { approval_mode: allow_all }\n'),
    openBrowser(),
  ]);
  const { id } = await served.send('anthropic', LINE);
  await served.ended(id);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'the history shows all of an output, and what the model read of it (S001-48, M5)',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    await opened.goTo('history');
    await page.locator('[data-command]', { hasText: 'waiting for the compiler' }).first().click();
    const detail = page.getByRole('region', { name: 'Command details' });
    const output = detail.getByRole('region', { name: /^Output/ });
    await expect.poll(async () => (await output.innerText()).match(/waiting for/g)).toHaveLength(9);
    await detail.getByRole('button', { name: 'what the model read' }).click();
    await expect.poll(() => output.innerText()).toContain('waiting for the compiler of the whole shop  ×9');
    expect(await detail.innerText()).toMatch(
      /8 of 109 lines left out \(plain, full confidence\), about \d+ tokens saved/,
    );
    expect(await violationsOf(page)).toEqual([]);
    await detail.getByRole('button', { name: 'stdout' }).click();
    await expect.poll(async () => (await output.innerText()).match(/waiting for/g)).toHaveLength(9);
  },
);
