import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { type ServedWorkspace, serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { violationsOf } from './testing/violations-of.ts';

const noBrowser = findChromium() === null;
/** With these `mkdir a` needs approval, and a tag needs two approvers. */
const SETTINGS = `approval: { prompt_on_warning: true }
rules:
  - id: two-for-tags
    ask: { program: git, args: [ tag, "**" ] }
    approvers: 2
`;
let served: ServedWorkspace;
let browser: Browser;

beforeAll(async () => {
  if (noBrowser) return;
  [served, browser] = await Promise.all([serveWorkspace(SETTINGS), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

/** Sends a line and approves it through the API. */
async function run(provider: string, line: string): Promise<string> {
  const { id, approval } = await served.send(provider, line);
  await served.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash: approval?.callHash } });
  await served.ended(id);
  return id;
}

test.skipIf(noBrowser)(
  'a command’s changes are shown and undone, and later ones are overwritten only after confirmation',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    const parser = join(served.workspace, 'src', 'parser.ts');
    const first = await run('anthropic', 'sed -i s/plus/minus/ src/parser.ts');
    await run('openai', 'sed -i s/minus/times/ src/parser.ts');
    await opened.goTo(`history/${first}`);
    await page.getByRole('button', { name: /^Show the difference/ }).click();
    await page.getByRole('region', { name: 'Change of src/parser.ts' }).getByText('minus').waitFor();
    await page.getByRole('button', { name: 'Undo…' }).click();
    const back = page.getByRole('region', { name: 'Restored in src/parser.ts' });
    await back.getByText('export const plus = 1;').waitFor();
    const undo = page.getByRole('button', { name: 'Undo and overwrite' });
    expect(await undo.isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Overwrite later changes').check();
    expect(readFileSync(parser, 'utf8')).toBe('export const times = 1;\n');
    await undo.click();
    await page.getByRole('status').getByText('Undone').waitFor();
    expect(readFileSync(parser, 'utf8')).toBe('export const plus = 1;\n');
  },
);

test.skipIf(noBrowser)(
  'a lease is revoked after confirmation: its holder is stopped, and the next command gets it',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    const holder = await served.call('anthropic', 'bash', { line: 'sleep 60; echo a > held.txt' });
    await served.ask('POST', `/api/approvals/${holder.id}/grant`, {
      body: { callHash: holder.approval?.callHash },
    });
    const next = await served.call('openai', 'write_file', { path: 'held.txt', content: 'b\n' });
    await served.ask('POST', `/api/approvals/${next.id}/grant`, {
      body: { callHash: next.approval?.callHash },
    });
    await opened.goTo('leases');
    await page.getByRole('button', { name: 'Revoke lease…' }).first().click();
    await page.getByRole('button', { name: 'Keep' }).click();
    expect((await served.ask<{ state: string }>('GET', `/api/commands/${holder.id}`)).state).not.toBe('done');
    await page.getByRole('button', { name: 'Revoke lease…' }).first().click();
    await page.getByLabel(/anthropic reads this$/).fill('it sleeps');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke lease' }).click();
    expect((await served.ended(holder.id)).result?.outcome).toMatchObject({
      kind: 'cancelled',
      failure: { message: expect.stringMatching(/its lease \(.*held\.txt.*\) was revoked: it sleeps$/) },
    });
    await served.ended(next.id);
    expect(readFileSync(join(served.workspace, 'held.txt'), 'utf8')).toBe('b\n');
  },
);

test.skipIf(noBrowser)('an answer is remembered as the shown rule, and approves the next call', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  const asked = await served.send('gemini', 'mkdir built');
  await opened.goTo(`approvals/${asked.id}`);
  await page.locator('#lede').waitFor();
  await page.keyboard.press('l');
  const rule = page.getByLabel('Rule as YAML');
  await rule.waitFor();
  expect(await rule.inputValue()).toMatch(/allow: \{ program: mkdir, args: \[ built \] \}/);
  const always = page.getByRole('button', { name: 'Approve and save rule' });
  await rule.fill((await rule.inputValue()).replace('program: mkdir', 'program: rmdir'));
  await page.getByText(/^Cannot use this rule/).waitFor();
  expect(await always.isDisabled()).toBe(true);
  await rule.fill(
    (await rule.inputValue()).replace('program: rmdir', 'program: mkdir').replace('rmdir', 'mkdir'),
  );
  await page.getByLabel('This workspace, only you').check();
  await page.getByLabel('For how long').selectOption('7');
  await page.getByText('The rule allows this call').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await always.click();
  await page.getByText(/^Approved, and remembered/).waitFor();
  await served.ended(asked.id);
  expect(readFileSync(join(served.workspace, '.signalbox', 'local.yaml'), 'utf8')).toMatch(/expires: 20/);
  const again = await served.send('gemini', 'mkdir built');
  expect(again.approval).toBeNull();
  await opened.goTo('policy');
  await page.getByRole('button', { name: /^Remove mkdir/ }).click();
  await page.getByRole('button', { name: 'Remove rule' }).click();
  await page.getByText(/^mkdir.* removed from/).waitFor();
  const third = await served.send('gemini', 'mkdir built');
  expect(third.approval?.status).toBe('pending');
});

test.skipIf(noBrowser)('“always” for an install agrees to its hosts, only for this workspace', async () => {
  await using shop = await serveWorkspace();
  writeFileSync(join(shop.workspace, 'package.json'), '{ "name": "shop" }');
  writeFileSync(join(shop.workspace, '.npmrc'), 'registry=http://localhost:4873/\nfetch-retries=0\n');
  await using opened = await openPage(browser, shop);
  const { page } = opened;
  const asked = await shop.send('gemini', 'npm ci');
  await opened.goTo(`approvals/${asked.id}`);
  await page.locator('#lede').waitFor();
  await page.keyboard.press('l');
  const rule = page.getByLabel('Rule as YAML');
  await rule.waitFor();
  expect(await rule.inputValue()).toMatch(/agree:[^]*packages:[^]*localhost:4873/);
  expect(
    await page.getByRole('radio').evaluateAll((all) => all.map((one) => one.closest('label')?.innerText)),
  ).toEqual([expect.stringContaining('This workspace, only you')]);
  await page.getByText('The rule allows this call').waitFor();
  await page.getByRole('button', { name: 'Approve and save rule' }).click();
  await page.getByText(/^Approved, and remembered/).waitFor();
  await shop.ended(asked.id);
  expect((await shop.send('gemini', 'npm view left-pad')).approval).toBeNull();
});

test.skipIf(noBrowser)(
  'with two approvers one approval counts and starts nothing, and the page says who is missing',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    const asked = await served.send('anthropic', 'git tag v1');
    await opened.goTo(`approvals/${asked.id}`);
    await page.getByText('Needs 2 approvers').waitFor();
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByText('You approved. One more approver is needed').waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
    expect((await served.ask<{ state: string }>('GET', `/api/commands/${asked.id}`)).state).toBe(
      'awaiting_approval',
    );
  },
);

test.skipIf(noBrowser)(
  'a long inbox is grouped, and a group is denied as a whole after it was shown',
  async () => {
    await using opened = await openPage(browser, served);
    const { page } = opened;
    const asked = await Promise.all(
      Array.from({ length: 9 }, (_, at) => served.send('deepseek', `touch many-${at}`)),
    );
    await opened.goTo('approvals');
    await page.getByRole('button', { name: 'Deny all 9…' }).click();
    await page.getByRole('list', { name: 'Calls that are denied' }).getByText('touch many-8').waitFor();
    await page.getByLabel(/^Reason for/).fill('one is enough');
    await page.getByRole('button', { name: 'Deny 9 calls' }).click();
    await page.getByText('Denied 9 calls of deepseek').waitFor();
    const ended = await Promise.all(asked.map(({ id }) => served.ended(id)));
    expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 'denied'));
    expect(existsSync(join(served.workspace, 'many-0'))).toBe(false);
  },
);

test.skipIf(noBrowser)('a user’s rule is checked while it is typed, and written as shown', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  await opened.goTo('policy');
  await page.getByRole('button', { name: 'New rule…' }).click();
  const text = page.getByLabel('Rule as YAML');
  await text.fill('id: Bad Name');
  await page.getByText(/^Cannot save this/).waitFor();
  await text.fill('id: no-scp\ndeny: { program: scp }');
  await page.getByText('Its examples pass').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Write the rule' }).click();
  await page.getByText(/^no-scp is in/).waitFor();
  expect((await served.send('openai', 'scp a b:')).status).toBe('denied');
});

test.skipIf(noBrowser)('a word is found in a long output and shown in place', async () => {
  await using opened = await openPage(browser, served);
  const { page } = opened;
  const { id } = await served.ended((await served.send('openai', "seq 1 40000; echo 'a needle here'")).id);
  await opened.goTo(`history/${id}`);
  await page.getByLabel('Find in the output').fill('NEEDLE');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^40,001/ }).click();
  await page.locator('pre mark').getByText('needle').waitFor();
  expect(await page.locator('pre mark').count()).toBe(1);
});
