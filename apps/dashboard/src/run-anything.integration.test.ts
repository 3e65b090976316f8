import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type OpenHouse, openHouse } from './testing/open-house.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { openScriptedModel } from './testing/scripted-model.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
let house: OpenHouse;
let browser: Browser;
let model: Awaited<ReturnType<typeof openScriptedModel>>;

beforeAll(async () => {
  if (noBrowser) return;
  model = await openScriptedModel([{ says: 'There is nothing to repair.' }]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  [house, browser] = await Promise.all([
    openHouse(undefined, `providers:\n  scripted: ${scripted}\n`),
    openBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await house?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'Ctrl+K starts a session, and asks before it cancels a command or sets a mode',
  async () => {
    await using opened = await openPage(browser, house);
    const { page, faults } = opened;
    const run = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or run' }).fill(words);
      await page.keyboard.press('Enter');
    };
    const { id } = await house.send('openai', 'git push --force origin main');
    await page.getByRole('banner').getByText('trunk').waitFor();
    await run('Cancel git push');
    await page.getByRole('heading', { name: 'Cancel this command?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel command' }).click();
    expect((await house.ended(id)).result?.outcome.kind).toBe('cancelled');
    await run('Set mode ALERT');
    await page.getByRole('heading', { name: 'Operational mode' }).waitFor();
    expect(await page.getByRole('radio', { name: /ALERT/ }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await run('New session');
    await page.getByLabel('Task').fill('Look at the parser once more');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('checkbox', { name: /scripted/ }).check();
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.locator('.transcript').getByText('Look at the parser once more').waitFor();
    expect(faults).toEqual([]);
  },
);
