import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOwnState } from '../../runtime/workspace/state-folder.ts';
import { openFollower } from '../../testing/open-follower.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('logs shows the coordinator’s messages, the older part too, with control characters escaped', async () => {
  const { workspace, log } = withLog('');
  const terminal = createTestTerminal(workspace);
  expect(await terminal.signalbox('logs')).toMatchObject({
    exit: 0,
    out: '',
    talk: expect.stringContaining('signalbox audit'),
  });
  writeFileSync(`${log}.1`, 'before\n');
  appendFileSync(log, 'warning \u001b[2J\nat the end');
  expect(await terminal.signalbox('logs')).toMatchObject({
    out: 'before\nwarning \\x1b[2J\nat the end\n',
    talk: '',
  });
});

test('logs -f shows complete lines as they are written, also after the log was emptied, until Ctrl-C', async () => {
  const { workspace, log } = withLog('one\ntw');
  const follower = openFollower(workspace, ['logs', '-f'], {});
  await follower.row(/^one$/);
  appendFileSync(log, 'o\nthr');
  await follower.row(/^two$/);
  truncateSync(log);
  appendFileSync(log, 'four\n');
  await follower.row(/^four$/);
  follower.stop();
  expect((await follower.ran).exit).toBe(0);
  expect(follower.rows).toEqual(['one', 'two', 'four']);
});

test('logs -f waits before the first coordinator has run, and logs says that none has', async () => {
  const workspace = ownWorkspace();
  expect(await createTestTerminal(workspace).signalbox('logs')).toMatchObject({ exit: 6 });
  const waiting = Promise.withResolvers<string>();
  const follower = openFollower(workspace, ['logs', '-f'], { onSay: waiting.resolve });
  expect(await waiting.promise).toContain('no coordinator has run in the background');
  makeOwnState(workspace);
  const { log } = withLog('hello\n', workspace);
  await follower.row(/^hello$/);
  appendFileSync(log, 'again\n');
  await follower.row(/^again$/);
  follower.stop();
  expect((await follower.ran).exit).toBe(0);
});

function withLog(text: string, workspace = ownWorkspace()): { workspace: string; log: string } {
  makeOwnState(workspace);
  const run = join(workspace, '.signalbox/run');
  mkdirSync(run, { mode: 0o700 });
  const log = join(run, 'coordinator.log');
  writeFileSync(log, text);
  return { workspace, log };
}
