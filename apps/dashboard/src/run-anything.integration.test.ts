import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { openScriptedModel } from './testing/scripted-model.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;
let model: Awaited<ReturnType<typeof openScriptedModel>>;

beforeAll(async () => {
  if (noBrowser) return;
  model = await openScriptedModel([
    { says: 'I look at it.', calls: [{ tool: 'read_file', args: { path: 'src/parser.ts' } }] },
    { says: 'There is nothing to repair.' },
  ]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  const keyless = scripted.replace('api_key_env: null', 'api_key_env: A_KEY_NOBODY_HAS');
  [served, browser] = await Promise.all([
    serveWorkspace(
      // A repository's settings that the user has not confirmed.
      `providers:\n  elsewhere: ${scripted}\n`,
      `tests: test -f src/parser.ts\nproviders:\n  scripted: ${scripted}\n  keyless: ${keyless}\n`,
    ),
    openBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'Ctrl+K undoes the last change after showing it, copies an id, and opens the history of a file',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, context, faults } = opened;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const run = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or run' }).fill(words);
      await page.locator('#finds').getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    };
    const { id } = await served.call('openai', 'write_file', { path: 'src/new.ts', content: '1\n' });
    expect((await served.ended(id)).result?.outcome.kind).toBe('completed');
    await page.getByRole('main').getByText('src/new.ts').first().waitFor();
    await run('History of src/new.ts');
    await page.locator('main[data-page="history"] h1').waitFor();
    expect(new URL(page.url()).hash).toBe('#/history?path=src%2Fnew.ts');
    await run('Copy id of write_file src/new.ts');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
    await run('Undo last: write_file src/new.ts');
    const dialog = page.getByRole('dialog', { name: 'Undo its file changes?' });
    await dialog.getByText('src/new.ts').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(existsSync(join(served.workspace, 'src/new.ts'))).toBe(true);
    await dialog.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => existsSync(join(served.workspace, 'src/new.ts'))).toBe(false);
    expect(faults).toEqual([]);
  },
);

test.skipIf(noBrowser)(
  'Ctrl+K starts a session, and asks before it cancels a command or sets a mode',
  async () => {
    await using opened = await openPage(browser, served);
    const { page, faults } = opened;
    const run = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or run' }).fill(words);
      await page.keyboard.press('Enter');
    };
    const { id } = await served.send('openai', 'git push --force origin trunk');
    await page.getByRole('banner').getByText('trunk').waitFor();
    await run('Cancel git push');
    await page.getByRole('heading', { name: 'Cancel this command?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel command' }).click();
    expect((await served.ended(id)).result?.outcome.kind).toBe('cancelled');
    await run('Set mode ALERT');
    await page.getByRole('heading', { name: 'Operational mode' }).waitFor();
    expect(await page.getByRole('radio', { name: /ALERT/ }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await run('New session');
    await page.getByLabel('Task').fill('Look at the parser once more');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('checkbox', { name: /scripted/ }).check();
    const missing = page.getByRole('checkbox', { name: /keyless.*no API key: A_KEY_NOBODY_HAS/ });
    expect(await missing.isDisabled()).toBe(true);
    const elsewhere = page.getByRole('checkbox', {
      name: /elsewhere.*address not confirmed: signalbox\.yaml sends it to .*config set providers\.elsewhere\.base_url/,
    });
    expect(await elsewhere.isDisabled()).toBe(true);
    const check = page.getByLabel('Until this line passes');
    expect(await check.inputValue()).toBe('test -f src/parser.ts');
    await page.getByLabel('Turns, each').fill('1');
    await page.getByLabel('Budget in US dollars, together').fill('0.5');
    await page.getByRole('button', { name: 'Start session' }).click();
    await page
      .getByRole('region', { name: 'Transcript' })
      .getByText('Look at the parser once more')
      .waitFor();
    type Runs = { runs: readonly { budgetUsd: number; until: string }[] };
    const { runs } = await served.ask<Runs>('GET', '/api/runs');
    expect(runs).toMatchObject([{ budgetUsd: 0.5, until: 'test -f src/parser.ts' }]);
    const more = page.getByRole('button', { name: '10 more turns' });
    await more.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await more.click();
    await page
      .getByRole('region', { name: 'Transcript' })
      .getByText('There is nothing to repair.')
      .first()
      .waitFor();
    // The check ran, and the task is offered again.
    await expect
      .poll(async () => (await served.ask<Runs>('GET', '/api/runs')).runs)
      .toMatchObject([{ result: { passed: true } }]);
    await run('New session');
    await page.getByRole('button', { name: 'Look at the parser once more' }).click();
    expect(await page.getByRole('textbox', { name: 'Task' }).inputValue()).toBe(
      'Look at the parser once more',
    );
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  },
);
