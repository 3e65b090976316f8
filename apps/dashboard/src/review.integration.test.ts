import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
/** The list of files, one region for each provider. */
const FILES = 'main :has(> section[aria-label^="Changed by"])';
let served: ServedWorkspace;
let browser: Browser;
const old = Array.from({ length: 40 }, (_, at) => `row ${at}\n`).join('');

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([
    serveWorkspace('tests: test -e b.txt\napproval: { approval_mode: allow_all }\n'),
    openBrowser(),
  ]);
  for (const [key, value] of [
    ['user.name', 'Ana'],
    ['user.email', 'ana@example.com'],
  ] as const)
    execFileSync('git', ['config', key, value], { cwd: served.workspace });
  writeFileSync(join(served.workspace, 'a.txt'), old);
  const run = async (provider: string, line: string) => served.ended((await served.send(provider, line)).id);
  await run('openai', "sed -i -e '3s/.*/first/' -e '38s/.*/last/' a.txt; echo new > b.txt");
  await served.ended((await served.call('openai', 'run_tests', {})).id);
  await run('anthropic', 'echo c > c.txt; echo d > d.txt');
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'files by provider are reviewed: hunks and files are kept or undone one by one, or all of a provider (U-M3)',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, faults } = opened;
    const text = (path: string): string => readFileSync(join(served.workspace, path), 'utf8');
    await page.getByRole('link', { name: 'Review changes' }).click();
    await page.locator('main[data-page="review"] h1').waitFor();
    const list = page.locator(FILES);
    await expect.poll(() => list.locator('li button').count()).toBe(4);
    expect(await list.getByRole('heading').allTextContents()).toHaveLength(2);
    const checks = page.getByRole('list', { name: 'Checks' });
    expect(await checks.textContent()).toContain('run_tests passed, before the last change');
    const message = await page.getByLabel('Commit message').boundingBox();
    expect((message?.y ?? 900) + (message?.height ?? 0)).toBeLessThan(900);
    await list.getByRole('button', { name: /^a\.txt/ }).click();
    await page.getByRole('button', { name: 'Side by side' }).click();
    const hunk = page.getByRole('region', { name: 'Change of hunk 1 of a.txt' });
    expect(await hunk.locator('[data-kind="removed"]').allTextContents()).toEqual(['3row 2']);
    expect(await hunk.locator('[data-kind="added"]').allTextContents()).toEqual(['3first']);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'One column' }).click();
    await page.getByRole('button', { name: 'Keep hunk 1 of a.txt' }).click();
    await page.getByRole('button', { name: 'Undo hunk 2 of a.txt' }).click();
    await page.getByText(/of a\.txt undone$/).waitFor();
    expect(text('a.txt')).toBe(old.replace('row 2\n', 'first\n'));
    // The rest of the file was kept, and can still be undone.
    await list.getByRole('button', { name: /^a\.txt.*kept/ }).click();
    await page.getByRole('article').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText(/^a\.txt undone$/).waitFor();
    expect(text('a.txt')).toBe(old);
    await expect.poll(() => list.locator('li button').count()).toBe(3);
    const all = list.getByRole('region', { name: 'Changed by anthropic' }).getByRole('button').first();
    await all.click();
    await all.click();
    await page.getByText('All of anthropic undone').waitFor();
    expect(['b.txt', 'c.txt', 'd.txt'].map((path) => existsSync(join(served.workspace, path)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await violationsOf(page)).toEqual([]);
    // Marks from another tab or terminal apply here, after a reload too.
    await served.call('openai', 'write_file', { path: 'e.txt', content: 'e\n' });
    await page.reload();
    await list.getByRole('button', { name: /^b\.txt/ }).click();
    await page.getByRole('article').getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByText('1 kept', { exact: true }).waitFor();
    await page.reload();
    await list.getByRole('button', { name: /^b\.txt.*kept/ }).waitFor();
    await page.getByLabel('Commit message').fill('Add b');
    await page.getByRole('button', { name: 'Commit 1 kept file' }).click();
    await expect
      .poll(() => page.locator('main [role=status], main form').allTextContents(), { timeout: 10_000 })
      .toContainEqual(expect.stringMatching(/^Committed 1 file as [0-9a-f]{7}, by command/));
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: served.workspace, encoding: 'utf8' });
    expect(git('show', '--format=%s', '--name-status')).toBe('Add b\n\nA\tb.txt\n');
    await expect
      .poll(() => list.locator('li button').allTextContents())
      .toEqual([expect.stringContaining('e.txt')]);
    // A file committed by hand leaves the list, too.
    await served.call('openai', 'write_file', { path: 'f.txt', content: 'f\n' });
    await served.ended((await served.send('anthropic', 'echo of both >> f.txt')).id);
    await page.reload();
    await expect.poll(() => list.locator('li button').count()).toBe(3);
    // A file that two providers changed is one file.
    expect(await page.locator('main > :has(> h1) span').first().textContent()).toBe('2 files');
    await page.getByRole('button', { name: 'Commit all 2 files' }).waitFor();
    git('add', 'f.txt');
    git('commit', '-q', '-m', 'Add f');
    await page.reload();
    await expect.poll(() => list.locator('li button').count()).toBe(1);
    // The file differs from the list: nothing is committed before the reader has seen that.
    rmSync(join(served.workspace, 'e.txt'));
    await page.getByRole('button', { name: 'Commit 1 file' }).click();
    await page.getByText('Nothing committed: the review has changed since it was shown').waitFor();
    expect(git('log', '-1', '--format=%s')).toBe('Add f\n');
    await page.getByRole('button', { name: 'Commit 1 file' }).click();
    await page.getByRole('alert').getByText('Cannot commit "e.txt": there is no such file').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  },
);

test.skipIf(noBrowser).for(['light', 'dark'] as const)(
  'the review fits a phone, in %s',
  async (colorScheme) => {
    await using opened = await openPage(browser, served, { viewport: PHONE, colorScheme });
    await opened.goTo('review');
    await opened.page.getByRole('article').waitFor();
    expect(await opened.page.getByRole('button', { name: 'Side by side' }).count()).toBe(0);
    const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    expect(await violationsOf(opened.page)).toEqual([]);
  },
);

test.skipIf(noBrowser)(
  'a provider’s file edited by hand since is shown and marked, and can be kept, not undone',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    await served.ended((await served.send('openai', 'printf "theirs\\n" > h.txt')).id);
    await served.ended((await served.call('openai', 'run_tests', {})).id);
    writeFileSync(join(served.workspace, 'h.txt'), 'mine\n');
    await opened.goTo('review');
    const row = page.locator(FILES).getByRole('button', { name: /^h\.txt.*edited by hand since/ });
    await row.click();
    const checks = page.getByRole('list', { name: 'Checks' });
    expect(await checks.textContent()).toContain('!run_tests passed, before later edits by hand');
    const shown = page.getByRole('article');
    await shown.getByText('Edited by hand since: it can’t be undone as a whole').waitFor();
    expect(await shown.locator('[data-kind="added"]').allTextContents()).toEqual([
      expect.stringContaining('theirs'),
    ]);
    await shown.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText(/h\.txt was edited by hand afterwards/).waitFor();
    expect(readFileSync(join(served.workspace, 'h.txt'), 'utf8')).toBe('mine\n');
    await shown.getByRole('button', { name: 'Keep', exact: true }).click();
    await page
      .locator(FILES)
      .getByRole('button', { name: /^h\.txt.*kept/ })
      .waitFor();
  },
);
