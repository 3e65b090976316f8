import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';
import { openScriptedModel } from './testing/scripted-model.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;
let model: Awaited<ReturnType<typeof openScriptedModel>>;

beforeAll(async () => {
  if (noBrowser) return;
  const waits = { says: 'I wait.', calls: [{ tool: 'bash', args: { line: 'sleep 600' } }] };
  model = await openScriptedModel([waits, waits, { says: 'I have stopped.' }]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  [served, browser] = await Promise.all([
    serveWorkspace(undefined, `providers:\n  scripted: ${scripted}\n`),
    openBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

test.skipIf(noBrowser)(
  'a person tells a session from its transcript to do something else, also on a phone (S003-66, L-26)',
  async () => {
    const { sessionId } = await served.ask<{ sessionId: string }>('POST', '/api/sessions', {
      body: { provider: 'scripted', task: 'Wait for the build' },
    });
    await using desk = await openPage(browser, served);
    await desk.goTo(`sessions/${sessionId}`);
    const { page } = desk;
    const transcript = page.getByRole('region', { name: 'Transcript' });
    await transcript.getByText('I wait.').first().waitFor();
    const field = transcript.getByRole('textbox', { name: 'Message' });
    expect(await transcript.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await field.fill('Rather read the parser\nand say what it does');
    await transcript.getByRole('button', { name: 'Stop and do this instead' }).click();
    await transcript.getByText('instead of what it did').waitFor();
    await transcript.getByText('and say what it does').waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await transcript.getByText('I wait.').nth(1).waitFor();
    expect(desk.faults).toEqual([]);

    await using phone = await openPage(browser, served, { viewport: PHONE });
    await phone.goTo(`sessions/${sessionId}`);
    const there = phone.page.getByRole('textbox', { name: 'Message' });
    await there.fill('Stop here');
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await phone.page.getByRole('button', { name: 'Stop and do this instead' }).click();
    await phone.page.getByRole('region', { name: 'Transcript' }).getByText('I have stopped.').waitFor();
    await there.waitFor({ state: 'detached' });
    expect(phone.faults).toEqual([]);
  },
);
