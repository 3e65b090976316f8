import { PassThrough } from 'node:stream';
import type { CommandId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createContext } from './create-context.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { entry } from './runtime-entry.ts';
import { findWorkspace } from '../runtime/workspace/find-workspace.ts';
import { openTestServer } from '../testing/open-test-server.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { watchAt } from '../live/watch/testing/watch-terminal.ts';

/** Characters that reverse text, are invisible or move the cursor; newlines are checked separately. */
const HIDING = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
/** A row that only a newline in a name can begin. */
const FORGED = /^forged row/m;
const NAME = 'a\u202Eb\u2066c\u200Bd\u001B[2Je\u0007f\u2028g\u00ADh\nforged row';
/** As typed for bash, in ASCII. */
const TYPED = String.raw`$'a\u202Eb\u2066c\u200Bd\e[2Je\af\u2028g\u00ADh\nforged row'`;

const VIEWS: readonly (readonly string[])[] = [
  ['status'],
  ['status', '@last'],
  ['status', '@last', '--verbose'],
  ['commands'],
  ['history'],
  ['diff'],
  ['diff', '@last'],
  ['diff', '--stat'],
  ['diff', '--stat', '--by', 'provider'],
  ['review'],
  ['audit'],
  ['queue'],
  ['leases', '--tree'],
  ['stats', '--by', 'file'],
  ['output', '@last'],
  ['watch', '--once'],
  ['approve'],
  ['check', '--', `rm -rf '${NAME}'`],
  ['check', '--', `rm -rf ${TYPED}`],
  ['policy', 'explain', '--', `rm -rf '${NAME}'`],
  ['status', NAME],
  ['undo', NAME],
];

test('no file name hides, reverses or forges a row, wherever a person decides or reads', async () => {
  await using own = await openTestServer({
    files: { [NAME]: 'one\n' },
    settings: { approval: { prompt_on_warning: true } },
  });
  const { workspace, submit, event } = own.of;
  const shown: [where: string, text: string][] = [];
  const answers = ['m', '', 'v', ''];
  const pipe = createTestTerminal(workspace);
  const screen = createTestTerminal(workspace, {
    onAsked: () => undefined,
    singleKeys: false,
    typed: () => answers.shift() ?? null,
  });
  const run = async (terminal: typeof pipe, ...argv: string[]): Promise<void> => {
    const { out, talk } = await terminal.signalbox(...argv);
    shown.push([argv.join(' '), out], [argv.join(' '), talk]);
  };
  const write = `export LC_ALL=C.UTF-8; echo two >> ${TYPED}; mkdir sub; echo > sub/${TYPED}`;
  const asked = await own.ask<{ id: string; approval: { callHash: string } }>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: write }, provider: 'openai' },
  });
  const { id, approval } = asked.body;
  await own.ask('POST', `/api/approvals/${id}/grant`, { body: { callHash: approval.callHash } });
  await own.of.ended(id as CommandId);
  for (const [tool, args] of [
    ['bash', { line: `rm -rf '${NAME}'` }],
    ['bash', { line: `rm -rf ${TYPED}; bash ${TYPED}` }],
    ['write_file', { path: NAME, content: 'three\n' }],
    ['write_file', { path: `new/${NAME}`, content: 'three\n' }],
    ['delete_file', { path: NAME }],
  ] as const)
    await submit('anthropic', tool, { args, context: { task: NAME } }).resting;
  const { commandId } = await event('approval_requested', ({ provider }) => provider === 'anthropic');
  for (const argv of VIEWS) {
    await run(pipe, ...argv);
    await run(screen, ...argv);
  }
  await run(screen, 'approve', commandId);
  await run(pipe, 'review');
  await run(pipe, 'undo', id);
  for (const argv of VIEWS) await run(pipe, ...argv);
  await watchAt(workspace, (drawn, press) => {
    shown.push(['watch', drawn]);
    // Until the approvals are shown.
    if (drawn.includes('<U+202E>')) press('q');
  });
  for (const argv of ['approve', `approve ${commandId}`, 'diff', 'review', 'status @last', 'watch'])
    expect([argv, shown.some(([where, text]) => where === argv && text.includes('<U+202E>'))]).toEqual([
      argv,
      true,
    ]);
  expect(shown.filter(([, text]) => HIDING.test(text) || FORGED.test(text))).toEqual([]);
});

test('nor in a prompt for typed lines', async () => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const host = Object.assign(Object.create(process) as NodeJS.Process, {});
  Object.defineProperties(host, { stdin: { value: stdin }, stderr: { value: stderr } });
  const flags: GlobalFlags = {
    json: false,
    quiet: false,
    verbose: 0,
    color: 'never',
    ascii: false,
    input: true,
  };
  const context = createContext(host, flags, { found: findWorkspace(process.cwd(), {}), entry });
  stdin.write('y\n');
  expect(await context.askLine(`Line (now: ${NAME}): `, new AbortController().signal)).toBe('y');
  const asked = String(stderr.read());
  expect(asked).toContain('a<U+202E>b');
  expect(HIDING.test(asked.replaceAll('\r', '')) || FORGED.test(asked)).toBe(false);
});
