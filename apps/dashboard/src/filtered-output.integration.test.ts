import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
const LINE =
  'for n in 1 2 3 4 5 6 7 8 9; do echo waiting for the compiler of the whole shop; done; seq 1000 1099';
const TESTS = `printf 'TAP version 13\\nnot ok 1 - ${'a long title of a test '.repeat(9)}\\n1..1\\n'; exit 1`;
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([
    serveWorkspace(undefined, `approval: { approval_mode: allow_all }\ntests: ${JSON.stringify(TESTS)}\n`),
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

test.skipIf(noBrowser)('long failures of a report wrap, on a phone too (L-26)', async () => {
  const { id } = await served.ask<{ id: string }>('POST', '/api/commands', {
    body: { tool: 'run_tests', args: {} },
  });
  await served.ended(id);
  for (const viewport of [{ width: 1440, height: 900 }, PHONE]) {
    await using opened = await openPage(browser, served, { viewport });
    await opened.goTo(`history/${id}`);
    const tests = opened.page.getByRole('region', { name: 'Tests' });
    await tests.getByText('a long title of a test').waitFor();
    const { hidden, rows } = await tests.evaluate((part) => ({
      hidden: part.scrollWidth - part.clientWidth,
      rows: (part.querySelector('pre')?.getClientRects()[0]?.height ?? 0) / 18,
    }));
    expect(hidden).toBe(0);
    expect(rows).toBeGreaterThan(1);
  }
});
