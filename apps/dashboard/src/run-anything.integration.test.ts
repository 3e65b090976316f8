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
  model = await openScriptedModel([
    { says: 'I look at it.', calls: [{ tool: 'read_file', args: { path: 'src/parser.ts' } }] },
    { says: 'There is nothing to repair.' },
  ]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  const keyless = scripted.replace('api_key_env: null', 'api_key_env: A_KEY_NOBODY_HAS');
  [house, browser] = await Promise.all([
    openHouse(undefined, `providers:\n  scripted: ${scripted}\n  keyless: ${keyless}\n`),
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
    const missing = page.getByRole('checkbox', { name: /keyless.*no API key: A_KEY_NOBODY_HAS/ });
    expect(await missing.isDisabled()).toBe(true);
    await page.getByLabel('Turns, each').fill('1');
    await page.getByLabel('Budget in US dollars, together').fill('0.5');
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.locator('.transcript').getByText('Look at the parser once more').waitFor();
    type Runs = { runs: readonly { budgetUsd: number; until: null }[] };
    const { runs } = await house.ask<Runs>('GET', '/api/runs');
    expect(runs).toMatchObject([{ budgetUsd: 0.5, until: null }]);
    const more = page.getByRole('button', { name: '10 more turns' });
    await more.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await more.click();
    await page.locator('.transcript').getByText('There is nothing to repair.').first().waitFor();
    expect(faults).toEqual([]);
  },
);
