import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { PAGES } from './frame/route.ts';
import { findChromium } from './testing/find-chromium.ts';
import { serveWorkspace } from './testing/serve-workspace.ts';
import { openBrowser, openPage } from './testing/open-page.ts';
import { openScriptedModel } from './testing/scripted-model.ts';

const noBrowser = findChromium() === null;
/** An executable tag, a backtick, colours, a direction override, a zero-width space, and a bell. */
const HOSTILE = '<img src=x onerror=alert(1)>`\u001B[31m\u202Egnp\u200B\u0007';
const RULES = `rules:
  - id: ask-writes
    ask: { tool: write_file }
  - id: hostile
    deny: { program: npm, args: [ publish, "**" ] }
    because: "<img src=x onerror=alert(1)>\\u202Egnp\\u200B"
`;

test.skipIf(noBrowser)('no foreign text is hidden, reversed or interpreted as part of the page', async () => {
  await using model = await openScriptedModel([
    { says: HOSTILE, calls: [bash(`ls '${HOSTILE}'`)] },
    { says: HOSTILE },
  ]);
  const scripted = `{ api: openai-chat, base_url: '${model.url}', model: scripted, api_key_env: null }`;
  await using browser = await openBrowser();
  await using served = await serveWorkspace(RULES, `providers:\n  scripted: ${scripted}\n`);
  const path = `src/\u202Egnp\u200B\u2066\u0085\nforged row.ts`;
  writeFileSync(join(served.workspace, '.git', 'HEAD'), 'ref: refs/heads/ma\u202Egnp\n');
  writeFileSync(join(served.workspace, path), 'one\n');
  await served.ask('POST', '/api/sessions', { body: { provider: 'scripted', task: HOSTILE } });
  await served.ask('PUT', '/api/mode', { body: { mode: 'ALERT', reason: HOSTILE } });
  const send = (call: object): Promise<CommandView> =>
    served.ask('POST', '/api/commands', {
      body: { ...call, provider: 'stranger', task: HOSTILE, says: HOSTILE },
    });
  const read = await send({ tool: 'read_file', args: { path } });
  await served.ended(read.id);
  const { sessionId } = read.context;
  const [zeros, ...questions] = await Promise.all([
    send(bash('head -c 1000000 /dev/zero')),
    send(bash(`printf '%s' '${HOSTILE}'`)),
    send(bash(`rm -rf '${path}'`)),
    send({
      tool: 'write_file',
      args: { path, content: `${HOSTILE}\n${'x'.repeat(1_000_000)}\n` },
      sessionId,
    }),
  ]);
  await served.ended(zeros.id);
  await using opened = await openPage(browser, served);
  const { page, faults } = opened;
  const shown: readonly (readonly [string, string])[] = [
    ...PAGES.map((name) => [name, 'main h1'] as const),
    ...[zeros, ...questions].map(({ id }) => [`history/${id}`, `dl:has-text('${id}')`] as const),
    ...questions.map(
      ({ id }) => [`approvals/${id}`, `article :not(li) > a[href='#/history/${id}']`] as const,
    ),
  ];
  const found: Record<string, readonly string[]> = {};
  for (const [name, part] of shown) {
    await opened.goTo(name);
    await page.locator(part).first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    found[name] = await hiddenIn(page);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  expect(faults).toEqual([]);
});

function bash(line: string) {
  return { tool: 'bash', args: { line } };
}

/** Characters that a reader would not see: in the text, in accessible names, in the tab's title. */
function hiddenIn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const hides = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    // A newline in a name is escaped: it begins no row of its own. In a shell line it is a line break.
    const forged = /\nforged row(?!\.ts'$)/;
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) texts.push(walker.currentNode.nodeValue ?? '');
    for (const element of document.body.querySelectorAll('[title], [aria-label]'))
      texts.push(element.getAttribute('title') ?? '', element.getAttribute('aria-label') ?? '');
    const made = [...document.querySelectorAll('img')].map(({ outerHTML }) => outerHTML);
    return [
      ...texts
        .filter((text) => hides.test(text) || forged.test(text))
        .map((text) => JSON.stringify(text.slice(0, 200))),
      ...made,
    ];
  });
}
