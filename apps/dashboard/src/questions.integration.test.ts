import type { CommandView } from '@signalbox/api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([serveWorkspace(''), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

const QUESTION = {
  question: 'Where should the <b>cache</b> live?',
  choices: ['In memory', 'In Redis, shared by all processes'],
};

test.skipIf(noBrowser)('a question of a model is answered by one of its choices', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  const asked = await served.call('openai', 'ask_person', QUESTION);
  await opened.goTo(`approvals/${asked.id}`);
  await page.getByRole('heading', { name: QUESTION.question }).waitFor();
  await page.getByText('openai', { exact: true }).first().waitFor();
  await page.getByText('an answer approves no command').waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'In Redis, shared by all processes' }).click();
  const ended = await served.ended(asked.id);
  expect(ended.result).toMatchObject({ success: true, content: 'In Redis, shared by all processes' });
  expect(ended.approval).toMatchObject({ by: { channel: 'dashboard' } });
  await page.getByText('No approvals pending').waitFor();
  await opened.goTo(`history/${asked.id}`);
  await page.getByText('Answered by').first().waitFor();
  expect(opened.faults).toEqual([]);
});

test.skipIf(noBrowser)('on a phone it is answered in own words, or declined', async () => {
  await using opened = await openPage(browser, served, { viewport: PHONE });
  const { page } = opened;
  const [first, second]: readonly [CommandView, CommandView] = [
    await served.call('openai', 'ask_person', QUESTION),
    await served.call('gemini', 'ask_person', { question: 'Shall I go on?' }),
  ];
  await opened.goTo(`approvals/${first.id}`);
  await page.getByRole('textbox', { name: 'Another answer' }).fill('On disk');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await page.getByRole('button', { name: 'Send' }).click();
  expect((await served.ended(first.id)).result?.content).toBe('On disk');
  await page.getByRole('heading', { name: 'Shall I go on?' }).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  const declined = await served.ended(second.id);
  expect(declined.result?.failure).toMatchObject({ code: 'question-declined' });
  expect(opened.faults).toEqual([]);
});
