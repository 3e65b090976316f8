import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { findRow } from '../table/subcommand-table.ts';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { JSON_ANSWERS } from './testing/json-answers.ts';

type Name = keyof typeof JSON_ANSWERS;

const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;

/** Runs it with --json and checks each document against its schema; returns the first. */
async function held(
  { signalbox }: ReturnType<typeof createTestTerminal>,
  name: Name,
  ...argv: readonly string[]
): Promise<unknown> {
  const { exit, out, talk } = await signalbox('--json', ...argv);
  if (out === '') throw new Error(`${name} answers nothing: ${talk}`);
  const documents = out
    .trimEnd()
    .split('\n')
    .map((row): unknown => JSON.parse(row));
  const problems = documents.flatMap((one) => JSON_ANSWERS[name].safeParse(one).error?.issues ?? []);
  expect({ name, exit, problems, talk }).toEqual({ name, exit: 0, problems: [], talk: expect.any(String) });
  return documents[0];
}

test('every answer with --json matches its schema, key by key, with a running coordinator', async () => {
  await using own = await openTestServer(ASKING);
  const { of } = own;
  const terminal = createTestTerminal(of.workspace);
  const ask = async (line: string) => {
    const submitted = of.submit('openai', 'bash', { args: { line } });
    await submitted.resting;
    const record = await of.runtime.store.get(submitted.commandId);
    return { ...submitted, hash: record?.approval?.callHash.slice(0, 8) ?? '' };
  };
  const [first, second, third] = [await ask('echo 1 > a.txt'), await ask('touch b'), await ask('touch c')];
  await held(terminal, 'approve', 'approve', first.commandId, '--expect', first.hash);
  await first.result;
  await held(terminal, 'deny', 'deny', second.commandId, '-m', 'not there');
  const always = await held(
    terminal,
    'approve',
    'approve',
    third.commandId,
    '--always',
    '--expect',
    third.hash,
  );
  expect(always).toMatchObject({ answer: 'granted', rule: { counts: true } });
  await third.result;
  await held(terminal, 'output', 'output', first.commandId);
  await held(terminal, 'diff', 'diff');
  await held(terminal, 'undo', 'undo', first.commandId);

  const runs = of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await of.event('command_started', ({ commandId }) => commandId === runs.commandId);
  for (const [name, ...argv] of [
    ['status', 'status'],
    ['status ID', 'status', first.commandId],
    ['commands', 'commands'],
    ['history', 'history'],
    ['queue', 'queue'],
    ['leases', 'leases'],
    ['stats', 'stats'],
    ['stats by tool', 'stats', '--by', 'tool', '--slowest', '1'],
    ['stats by file', 'stats', '--by', 'file'],
    ['watch', 'watch', '--once'],
    ['mode', 'mode'],
    ['mode', 'mode', 'ALERT', '-m', 'to be told of'],
    ['audit', 'audit'],
    ['audit verify', 'audit', 'verify'],
    ['check', 'check', '--provider', 'openai', '--mode', 'NORMAL', '--', 'ls'],
    ['policy explain', 'policy', 'explain', '--', 'ls'],
    ['policy test', 'policy', 'test'],
    ['policy check', 'policy', 'check'],
    ['rules add', 'rules', 'add', '--', 'npm install'],
    ['rules', 'rules'],
    ['rules remove', 'rules', 'remove', 'npm-install'],
    ['rules trust', 'rules', 'trust', '--yes'],
    ['rules reads', 'rules', 'reads'],
    ['tools', 'tools'],
    ['tools NAME', 'tools', 'bash'],
    ['tools trust', 'tools', 'trust', '--yes'],
    ['config', 'config', 'list'],
    ['config', 'config', 'get', 'approval.expiry'],
    ['config path', 'config', 'path'],
    ['config set', 'config', 'set', 'approval.expiry', '15m'],
    ['config set', 'config', 'unset', 'approval.expiry'],
    ['config migrate', 'config', 'migrate'],
    ['config trust', 'config', 'trust'],
    ['token create', 'token', 'create', '--name', 'mira'],
    ['token list', 'token', 'list'],
    ['connect', 'connect', 'claude-code', '--print'],
    ['dashboard', 'dashboard'],
    ['leases revoke', 'leases', 'revoke', runs.commandId],
  ] as const satisfies readonly (readonly [Name, ...string[]])[]) {
    await held(terminal, name, ...argv);
  }
  await runs.result;
  const ended = of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  const { sessionId } = await of.event('command_started', ({ commandId }) => commandId === ended.commandId);
  await held(terminal, 'cancel', 'cancel', '--session', sessionId.slice(0, 9));
  const made = z.object({ id: z.string() }).parse(await held(terminal, 'token create', 'token', 'create'));
  await held(terminal, 'token revoke', 'token', 'revoke', made.id);
});

test('the --json answer for the user’s own line does too', async () => {
  const workspace = createTestWorkspace();
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const terminal = createTestTerminal(workspace);
  expect(await held(terminal, 'exec', 'exec', '--', 'echo hi')).toMatchObject({ stdout: 'hi\n' });
});

test('the command-line page names each key that is printed', () => {
  const missing = Object.entries(JSON_ANSWERS).flatMap(([name, schema]) => {
    if (!(schema instanceof z.ZodObject)) return [];
    const words = new Set(findRow(name.split(' ')[0] ?? '')?.json.match(/\w+/g));
    return Object.keys(schema.shape).flatMap((key) => (words.has(key) ? [] : [`${name}: ${key}`]));
  });
  expect(missing).toEqual([]);
});
