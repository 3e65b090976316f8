import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const SHORT = 'execution: { execution_history_limit: 1, history_max_age: 0 }\n';

/** A workspace whose history has dropped the first of its commands. */
async function withDropped(settings: string) {
  const workspace = ownWorkspace();
  await writeOwnSettings(workspace, { text: settings });
  const terminal = createTestTerminal(workspace);
  // The history is trimmed at a start.
  for (const names of [['first', 'second'], ['third']]) {
    for (const name of names) {
      const ran = await terminal.signalbox('exec', '--', `echo x > ${name}.txt`);
      expect(ran).toMatchObject({ exit: 0 });
    }
    await terminal.stopCoordinator();
  }
  const [first] = readFileSync(join(workspace, '.signalbox', 'audit.jsonl'), 'utf8').split('\n');
  const { command_id: id } = JSON.parse(first ?? '') as { command_id: string };
  return { workspace, terminal, id };
}

test('for a command dropped from the history, the setting responsible and the audit log’s line are shown (U-B7)', async () => {
  const { terminal, id } = await withDropped(SHORT);
  for (const subcommand of ['status', 'output', 'diff', 'undo']) {
    for (const typed of [id, id.slice(0, 9)]) {
      const { exit, talk } = await terminal.signalbox(subcommand, typed);
      expect({ subcommand, exit }).toEqual({ subcommand, exit: 2 });
      expect(talk).toContain(`error[forgotten-id]: Cannot show or undo ${id}: the history has dropped it`);
      expect(talk.replace(/\s+/g, ' ')).toContain(
        'and the last 1 at least (execution.execution_history_limit)',
      );
      expect(talk.replace(/\s+/g, ' ')).toMatch(/the audit log has it: \S+ you bash completed.*first\.txt/);
      expect(talk).toContain(`signalbox audit --filter ${id}`);
    }
  }
  // The next step leads to it, and an id that never existed is still unknown.
  expect((await terminal.signalbox('audit', '--filter', id)).out).toContain('bash');
  expect((await terminal.signalbox('status', 'zzzzzz')).talk).toContain('error[unknown-id]');
});

test('stats and /metrics count the commands that the history has dropped (S003-79) (setting: execution.execution_history_limit, execution.history_max_age)', async () => {
  const { workspace, terminal } = await withDropped(SHORT);
  expect((await terminal.signalbox('history', '--json')).out.trim().split('\n')).toHaveLength(2);
  const { out } = await terminal.signalbox('stats', '--json');
  expect(JSON.parse(out)).toMatchObject({ providers: [{ provider: 'you', commands: 3, completed: 3 }] });
  await terminal.stopCoordinator();
  await using own = await openTestServer({ workspace });
  expect((await own.ask('GET', '/metrics')).text).toContain(
    'signalbox_history_commands{provider="you",tool="bash",outcome="completed"} 3',
  );
});

test('by default a day of work is kept completely, and can be undone', async () => {
  const { terminal, id } = await withDropped('');
  expect(await terminal.signalbox('undo', id)).toMatchObject({ exit: 0 });
});

test('a server responds 410 for a command that only its audit log has, also to terminals elsewhere', async () => {
  const { workspace, id } = await withDropped(SHORT);
  const logged = readFileSync(join(workspace, '.signalbox', 'audit.jsonl'), 'utf8');
  await using own = await openTestServer();
  writeFileSync(join(own.of.workspace, '.signalbox', 'audit.jsonl'), logged, { flag: 'a' });
  for (const path of ['', '/output', '/diff']) {
    const gone = await own.ask('GET', `/api/commands/${id}${path}`);
    expect(gone).toMatchObject({ status: 410, body: { code: 'forgotten-command' } });
  }
  const elsewhere = createTestTerminal(ownWorkspace(), { env: { SIGNALBOX_TOKEN: own.token } });
  const { talk } = await elsewhere.signalbox('status', id.slice(0, 9), '--server', own.url);
  expect(talk).toContain('error[forgotten-id]');
  expect((await own.ask('GET', '/api/commands/cmd_zzzzzzzzzzzz')).status).toBe(404);
});
