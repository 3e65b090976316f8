import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

type Line = Readonly<{ command_id: string; fencing_token: number | null }>;

test('lost or emptied records are reported at the start, and fencing tokens stay above the audit log’s (F-W4)', async () => {
  const workspace = ownWorkspace();
  const { signalbox, stopCoordinator } = createTestTerminal(workspace);
  const state = join(workspace, '.signalbox', 'state.db');
  const lines = (): readonly Line[] =>
    readFileSync(join(workspace, '.signalbox', 'audit.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  for (const word of ['one', 'two', 'three']) {
    const ran = await signalbox('exec', '--', `echo ${word}`);
    expect([ran.exit, ran.talk]).toEqual([0, expect.not.stringContaining('warning')]);
  }
  await stopCoordinator();
  const highest = Math.max(...lines().map(({ fencing_token: token }) => token ?? 0));
  for (const end of ['', '-wal', '-shm']) rmSync(`${state}${end}`, { force: true });
  const doctor = async (): Promise<string> => (await signalbox('doctor', '--json')).out;
  expect(await doctor()).toMatch(/"audit log"[^}]*they were removed/);

  const ran = await signalbox('exec', '--', 'echo four');
  expect([ran.exit, ran.talk]).toEqual([
    0,
    expect.stringMatching(/warning The records .* lack 3 of the last 3 commands in the audit log/),
  ]);
  expect(lines().at(-1)?.fencing_token).toBeGreaterThan(highest + 999);
  expect(await doctor()).toMatch(/"audit log"[^}]*lack 3 of the last 4 commands/);
  await stopCoordinator();
  await using own = await openTestRuntime({ workspace });
  expect(await own.event('warning_raised')).toMatchObject({
    code: 'state-lost',
    message: expect.stringContaining('lack 3 of the last 3'),
  });
  expect((await own.call('openai', 'echo', { text: 'a' })).outcome.kind).toBe('completed');
  expect(lines().at(-1)?.fencing_token).toBeGreaterThan(highest + 1000);
});

test('an audit log that was removed, cut or changed is reported at the start (F-W5)', async () => {
  const workspace = ownWorkspace();
  const { signalbox, stopCoordinator } = createTestTerminal(workspace);
  const log = join(workspace, '.signalbox', 'audit.jsonl');
  for (const word of ['one', 'two', 'three']) await signalbox('exec', '--', `echo ${word}`);
  await stopCoordinator();
  const whole = readFileSync(log, 'utf8');
  const [first = '', second = '', third = ''] = whole.trimEnd().split('\n');
  const said = async (text: string): Promise<string> => {
    writeFileSync(log, text);
    const { out } = await signalbox('doctor', '--json');
    return /"audit log"[^}]*/.exec(out)?.[0] ?? '';
  };
  expect(await said(whole)).toBe('');
  expect(await said('')).toContain('it lacks 3 of the last 3 commands in the records');
  expect(await said(`${first}\n${second}\n`)).toContain('it lacks 1 of the last 3 commands');
  expect(await said(`${second}\n${third}\n`)).toContain('a line near its end was changed or removed');
  expect(await said(whole.replace('echo two', 'echo 222'))).toContain('changed or removed; 1 of its last');
  expect(await said(`${whole}{"ts":"2026`)).toBe('');
  rmSync(log);
  const ran = await signalbox('exec', '--', 'echo four');
  expect([ran.exit, ran.talk]).toEqual([
    0,
    expect.stringMatching(
      /warning The audit log .* it lacks 3 of the last 3[^\n]*\n {2}signalbox audit verify/,
    ),
  ]);
  expect((await signalbox('audit', 'verify')).exit).toBe(1);
});
