import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortId } from '@signalbox/core';
import { expect, test, vi } from 'vitest';
import { NOTES_SERVER, notesServerFiles } from '../../commands/agents/testing/notes-server.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ASKING = { approval: { prompt_on_warning: true } } as const;

/** Requests the call; returns the hash that a user would see now. */
async function ask(own: TestRuntime, tool: string, args: Record<string, unknown>) {
  const submitted = own.submit('openai', tool, { args });
  const { callHash } = await own.event(
    'approval_requested',
    ({ commandId }) => commandId === submitted.commandId,
  );
  return { ...submitted, id: shortId(submitted.commandId), hash: callHash.slice(0, 8) };
}

/** What `signalbox approve ID` shows before it reads an answer. */
async function shownFor(own: TestRuntime, id: string): Promise<string> {
  const terminal = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    singleKeys: false,
    typed: () => null,
  });
  const { talk, out } = await terminal.signalbox('approve', id);
  return `${talk}${out}`;
}

test('a script behind links is bound to its target: if rewritten after approval was requested it needs approval again (R-A4)', async () => {
  await using own = await openTestRuntime({ settings: ASKING, files: { 'lib/real.sh': 'echo one\n' } });
  symlinkSync('lib', join(own.workspace, 'bin'));
  symlinkSync('bin/real.sh', join(own.workspace, 'link.sh'));
  const { commandId, id, hash, result } = await ask(own, 'bash', { line: 'bash link.sh' });
  writeFileSync(join(own.workspace, 'lib/real.sh'), 'echo EVIL\n');
  const terminal = createTestTerminal(own.workspace);
  const { exit, talk } = await terminal.signalbox('approve', id, '--expect', hash);
  expect(exit).not.toBe(0);
  expect(talk).toContain('lib/real.sh');
  const shown = await shownFor(own, id);
  expect(shown).toContain('Same call, but lib/real.sh changed since the request');
  expect(shown).toMatch(/Script +link\.sh → lib\/real\.sh\n +echo EVIL/);
  const { approval } = (await own.runtime.coordinator.status(commandId)) ?? {};
  await terminal.signalbox('approve', id, '--expect', approval?.callHash.slice(0, 8) ?? '');
  expect((await result).stdout).toBe('EVIL\n');
});

test.for([
  ['npm run deploy', 'package.json', '{"scripts":{"deploy":"echo EVIL"}}'],
  ['cd sub && npm run deploy', 'sub/package.json', '{"scripts":{"deploy":"echo EVIL"}}'],
  ['npm --prefix sub run deploy', 'sub/package.json', '{"scripts":{"deploy":"echo EVIL"}}'],
  ['node --require ./tools/b.js a.js', 'tools/b.js', 'console.log("EVIL")'],
] as const)('the script shown in the approval of "%s" is bound', async ([line, path, evil]) => {
  const scripts = '{"scripts":{"deploy":"echo fine"}}';
  const files = { 'package.json': scripts, 'sub/package.json': scripts, 'tools/b.js': '', 'a.js': '' };
  await using own = await openTestRuntime({ settings: ASKING, files });
  const { id, hash, result } = await ask(own, 'bash', { line });
  writeFileSync(join(own.workspace, path), evil);
  const terminal = createTestTerminal(own.workspace);
  const { exit, talk } = await terminal.signalbox('approve', id, '--expect', hash);
  expect(exit).not.toBe(0);
  expect(talk).toContain(path);
  expect(await shownFor(own, id)).toContain(`Same call, but ${path} changed since the request`);
  await terminal.signalbox('deny', id);
  await result;
});

test('a link with an unreadable target makes the call dangerous, and the view says what is not bound (R-A4)', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  symlinkSync('/usr/share/elsewhere.sh', join(own.workspace, 'out.sh'));
  const { id, commandId } = await ask(own, 'bash', { line: 'bash out.sh' });
  expect((await own.runtime.coordinator.status(commandId))?.verdict?.level).toBe('dangerous');
  const shown = (await shownFor(own, id)).replaceAll(/\s+/g, ' ');
  expect(shown).toContain('! DANGEROUS');
  expect(shown).toContain('behind a link to another place, so it may change after you approve: out.sh');
  expect(shown).toContain("not checked for changes: out.sh is a link to a path that can't be read here");
});

test('a foreign tool is shown with its server, its confinement and every argument; its arguments never pose as a line (R-A3)', async () => {
  await using own = await openTestRuntime({
    settings: { mcp_servers: { notes: { ...NOTES_SERVER, sandbox: false } } },
    files: await notesServerFiles(),
  });
  const { tools } = own.runtime.coordinator;
  const echo = 'mcp__notes__echo';
  await vi.waitFor(() => expect(tools.list().map(({ name }) => name)).toContain(echo), 20_000);
  const { id } = await ask(own, echo, { text: 'hello', line: 'npm test', path: 'README.md', content: 'x' });
  const shown = await shownFor(own, id);
  expect(shown).toContain('wants to call echo of the MCP server notes');
  for (const row of [
    'no sandbox: runs with all your rights',
    'text: hello',
    'line: npm test',
    'path: README.md',
    'content: x',
  ])
    expect(shown).toContain(`\n   ${row}\n`);
});
