import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openPage, PHONE } from './testing/open-page.ts';
import { openScripted, type ScriptedWorkspace } from './testing/open-scripted.ts';

const noBrowser = findChromium() === null;
let world: ScriptedWorkspace;

beforeAll(async () => {
  if (noBrowser) return;
  const waits = { says: 'I wait.', calls: [{ tool: 'bash', args: { line: 'sleep 600' } }] };
  world = await openScripted([waits, waits, { says: 'I have stopped.' }]);
});

afterAll(() => world?.[Symbol.asyncDispose]());

test.skipIf(noBrowser)(
  'a person tells a session from its transcript to do something else, also on a phone (S003-66, L-26)',
  async () => {
    const { served, browser } = world;
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
