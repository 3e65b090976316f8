import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';

const noBrowser = findChromium() === null;
const COMMITS_ASK = 'agents: { tool_execution: { require_approval_tools: [git_commit] } }\n';
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([serveWorkspace(COMMITS_ASK), openBrowser()]);
  mkdirSync(join(served.workspace, 'docs/Guides'), { recursive: true });
  for (let n = 0; n < 18; n++) writeFileSync(join(served.workspace, `docs/Guides/${n}.md`), 'x'.repeat(2048));
  const known = ['update-ref', 'refs/remotes/origin/trunk', 'HEAD'];
  for (const args of [['add', 'src'], known]) execFileSync('git', args, { cwd: served.workspace });
  execFileSync('git', ['remote', 'set-url', 'origin', 'https://ana:hunter2@git.example.com/x.git'], {
    cwd: served.workspace,
  });
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)('the card says what a deletion, a commit and a push would do (U-M2)', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  const effects = page.getByRole('region', { name: 'What it would do' });
  const removal = await served.send('openai', 'rm -rf docs/Guides');
  await opened.goTo(`approvals/${removal.id}`);
  await page.getByRole('heading', { name: 'Delete 18 files under docs/Guides' }).waitFor();
  await effects.getByText('18 files, 36 KiB').waitFor();
  await effects.getByText('docs/Guides/0.md').waitFor();
  await effects.getByText('and 12 more').waitFor();
  await effects.getByText('Yes', { exact: true }).waitFor();
  const commit = await served.call('deepseek', 'git_commit', { message: 'Add the parser' });
  await opened.goTo(`approvals/${commit.id}`);
  await page.getByRole('heading', { name: 'Commit 1 file' }).waitFor();
  await page
    .getByRole('region', { name: 'Change of src/parser.ts' })
    .getByText('export const plus = 1;')
    .waitFor();
  const push = await served.send('anthropic', 'git push --force origin trunk');
  await opened.goTo(`approvals/${push.id}`);
  await page.getByRole('heading', { name: 'Force-push trunk to origin' }).waitFor();
  await effects.getByText('pushed commits stay on the remote').waitFor();
  expect(await page.content()).not.toContain('hunter2');
  expect(opened.faults).toEqual([]);
});

test.skipIf(noBrowser)('Modify puts the caret after the last letter (U-B12)', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  const asked = await served.send('claude-code', 'git push --force origin trunk');
  await opened.goTo(`approvals/${asked.id}`);
  await page.locator('#lede').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('form', { name: 'Modify' }).locator('textarea').waitFor();
  await page.keyboard.type(' --dry-run');
  expect(await page.getByRole('form', { name: 'Modify' }).locator('textarea').inputValue()).toBe(
    'git push --force origin trunk --dry-run',
  );
});

test.skipIf(noBrowser)(
  'a decided approval keeps its place for two seconds, and nothing is above the list (U-WEAK)',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    const first = await served.send('gemini', 'npm publish --tag one');
    await served.send('gemini', 'npm publish --tag two');
    await opened.goTo(`approvals/${first.id}`);
    const item = (tag: string) =>
      page
        .getByRole('complementary')
        .getByRole('link')
        .filter({ hasText: `--tag ${tag}` });
    await item('two').waitFor();
    const deny = page.getByRole('button', { name: /^Deny/ });
    await expect.poll(() => deny.isEnabled()).toBe(true);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const before = await item('two').boundingBox();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    await item('one').getByText('Denied').waitFor();
    await page.getByText(/^Denied: /).waitFor();
    expect(await item('two').boundingBox()).toEqual(before);
    await page.clock.runFor(1900);
    expect(await item('two').boundingBox()).toEqual(before);
    await page.clock.runFor(200);
    await page.locator('[data-settled]').waitFor({ state: 'detached' });
  },
);

test.skipIf(noBrowser)(
  'on a phone the answers stay in one row, the other actions behind one button',
  async () => {
    await using opened = await openPage(browser, served, { viewport: PHONE });
    const { page } = opened;
    const asked = await served.send('mistral', 'npm publish --tag phone');
    await opened.goTo(`approvals/${asked.id}`);
    const bar = page.getByRole('group', { name: 'Decide' });
    const names = ['Deny', 'More actions', 'Approve'];
    const boxes = await Promise.all(
      names.map((name) => bar.getByRole('button', { name: new RegExp(`^${name}`) }).boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(boxes.map((box) => box?.height)).toEqual([48, 48, 48]);
    expect(await bar.getByRole('button', { name: /^Modify/ }).count()).toBe(0);
    await bar.getByRole('button', { name: 'More actions' }).click();
    await bar.getByRole('button', { name: 'Modify' }).click();
    await page.getByRole('form', { name: 'Modify' }).locator('textarea').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

test.skipIf(noBrowser)(
  'an approval gets 5 more minutes by its button, by + and on a phone (U-M6)',
  async () => {
    const asked = await served.send('mistral', 'npm publish --tag later');
    const expiry = async (): Promise<number> => {
      const { approval } = await served.ask<CommandView>('GET', `/api/commands/${asked.id}`);
      return ((approval?.expiresAt ?? 0) - (asked.approval?.expiresAt ?? 0)) / 60_000;
    };
    {
      await using opened = await openPage(browser, served);
      const { page } = opened;
      await opened.goTo(`approvals/${asked.id}`);
      await page.getByRole('button', { name: /^5 more minutes/ }).click();
      await page.getByText('5 more minutes: npm publish --tag later').waitFor();
      expect(await expiry()).toBe(5);
      await page
        .getByRole('group', { name: 'Decide' })
        .locator('time', { hasText: /^3[34]:/ })
        .waitFor();
      await page.keyboard.press('+');
      await page
        .getByRole('group', { name: 'Decide' })
        .locator('time', { hasText: /^3[89]:/ })
        .waitFor();
      expect(await expiry()).toBe(10);
    }
    await using phone = await openPage(browser, served, { viewport: PHONE });
    await phone.goTo(`approvals/${asked.id}`);
    await phone.page.getByRole('button', { name: 'More actions' }).click();
    await phone.page.getByRole('button', { name: '5 more minutes' }).click();
    await phone.page
      .getByRole('group', { name: 'Decide' })
      .locator('time', { hasText: /^4[34]:/ })
      .waitFor();
    expect(await expiry()).toBe(15);
  },
);

test.skipIf(noBrowser)(
  'an approval with a paused session says that it expired and can be answered',
  async () => {
    await using opened = await openPage(browser, served, { viewport: PHONE });
    const { page } = opened;
    const asked = await served.send('mistral', 'npm publish --tag paused');
    await page.route('**/api/approvals', async (route) => {
      const response = await route.fetch();
      const { approvals } = (await response.json()) as { approvals: { command: CommandView }[] };
      const past = approvals.map(({ command }) => ({
        command: {
          ...command,
          approval: { ...command.approval, expiresAt: Date.now() - 90_000, pausedAt: Date.now() - 90_000 },
        },
      }));
      await route.fulfill({ response, json: { approvals: past } });
    });
    await opened.goTo(`approvals/${asked.id}`);
    await page.getByText(/Expired 1:3\d ago; its session is paused/).waitFor();
    const approve = page.getByRole('button', { name: /^Approve/ });
    await expect.poll(() => approve.isEnabled()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);
