import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage, PHONE } from './testing/open-page.ts';
import { openScriptedModel } from './testing/scripted-model.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
let served: ServedWorkspace;
let browser: Browser;
let model: Awaited<ReturnType<typeof openScriptedModel>>;
let away: Server;
let line: string;

beforeAll(async () => {
  if (noBrowser) return;
  away = createServer((_, response) => {
    response.writeHead(302, { Location: 'http://evil.example/' }).end();
  });
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  line = `curl -sS -L http://localhost:${(away.address() as AddressInfo).port}/`;
  model = await openScriptedModel([
    { says: 'I fetch it.', calls: [{ tool: 'bash', args: { line } }] },
    { says: 'It was refused.' },
  ]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  const local = `approval: { approval_mode: allow_all }\nproviders:\n  scripted: ${scripted}\n`;
  [served, browser] = await Promise.all([serveWorkspace(undefined, local), openBrowser()]);
  await served.ask('POST', '/api/sessions', { body: { provider: 'scripted', task: 'Fetch it' } });
  const { id } = await served.send('anthropic', line);
  await served.ended(id);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  away?.close();
});

const WHY =
  /Network refused: "evil\.example:80" is not among the hosts of this command: localhost:\d+\s+To change which hosts lines reach: signalbox network/;

test.skipIf(noBrowser).for([
  { at: 'a desk', options: {} },
  { at: 'a phone', options: { viewport: PHONE, colorScheme: 'dark' as const } },
])(
  'hosts refused by the network gate are shown on $at with what to do, in the detail and the transcript',
  async ({ options }) => {
    await using opened = await openPage(browser, served, options);
    const { page } = opened;
    await opened.goTo('history');
    await page.locator('[data-command]', { hasText: line }).first().click();
    const network = page.getByRole('region', { name: 'Network' });
    await expect.poll(() => network.innerText()).toMatch(WHY);
    expect(await network.innerText()).toMatch(/localhost:\d+\s+reached/);
    expect(await violationsOf(page)).toEqual([]);
    await opened.goTo('sessions');
    const transcript = page.getByRole('region', { name: 'Transcript' });
    await transcript.getByText('It was refused.').waitFor();
    await transcript.getByRole('button', { name: line }).click();
    await expect.poll(() => transcript.getByRole('note').innerText()).toMatch(WHY);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  },
);

test.skipIf(noBrowser)('Live shows refused hosts when it happens, and for the selected command', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  // A provider of its own: commands of one provider shortly after each other are one dot.
  await served.send('openai', line);
  const events = page.getByRole('region', { name: 'Events' });
  await events
    .getByRole('listitem')
    .filter({ hasText: /Network refused "evil\.example:80" is not among the hosts/ })
    .waitFor();
  await page.getByRole('article', { name: 'openai' }).getByRole('button', { name: /^curl/ }).click();
  const selected = page.getByRole('region', { name: 'Selected command' });
  await expect.poll(() => selected.getByRole('note').innerText()).toMatch(WHY);
});
