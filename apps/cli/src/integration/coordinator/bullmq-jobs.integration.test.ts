import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownJobs, startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('on Redis everything that a run executes, file tools too, is a job that BullMQ shows, with the priority of the run (U-07)', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => redis.close());
  const calls = [write('a.txt'), { tool: 'bash', args: { line: 'cat a.txt' } }];
  const workspace = await workspaceFor(scriptOf('openai', ...calls.map((call) => [call])));
  const { signalbox } = createTestTerminal(workspace, { env: { SIGNALBOX_REDIS_URL: redis.url } });
  const argv = ['run', 'Finish', '-p', 'openai', '--priority', '3', '--until', 'test -e a.txt'];
  expect(await signalbox(...argv)).toMatchObject({ exit: 0 });
  const name = readFileSync(join(workspace, '.signalbox/workspace-id'), 'utf8').trim();
  const done = { state: 'completed', priority: 3 };
  expect(await shownJobs(redis.url, name)).toEqual([
    { ...done, provider: 'openai', name: 'write_file a.txt' },
    { ...done, provider: 'openai', name: 'bash cat a.txt' },
    { ...done, provider: 'you', name: 'bash test -e a.txt' },
  ]);
});
