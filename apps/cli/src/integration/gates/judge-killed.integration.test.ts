import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveWorkspace } from '../../testing/live-workspace.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { FREE, judgedBy, startJudge } from './judge-server.ts';

test('a call that was being judged when its coordinator was killed is judged again, and does not run unjudged', async () => {
  let answers = false;
  const judge = await startJudge(() => (answers ? 'DENY 1' : { hang: true }));
  const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
  const text = JSON.stringify({ ...FREE, ...judgedBy(judge, { timeout: '1h' }) });
  await writeOwnSettings(workspace, { text });
  const world = await openLiveWorkspace(workspace);
  const agent = await world.agent('openai');
  const called = agent.bash('touch ran.txt').catch(() => null);
  await expect.poll(() => judge.requests.length, { timeout: 30_000 }).toBe(1);
  answers = true;
  process.kill(world.coordinator(), 'SIGKILL');
  await expect.poll(() => world.results(), { timeout: 30_000 }).toContain('openai denied');
  expect(judge.requests.length).toBeGreaterThan(1);
  expect(existsSync(join(workspace, 'ran.txt'))).toBe(false);
  await called;
}, 120_000);

test('on Redis calls are judged, and a call whose coordinator is gone is judged again by the next one', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => redis.close());
  let answers = false;
  const judge = await startJudge(() => (answers ? 'DENY 1' : { hang: true }));
  const workspace = ownWorkspace();
  const options = {
    workspace,
    settings: { ...FREE, backend: 'redis', ...judgedBy(judge, { timeout: '1h' }) },
    apiKeys: { SIGNALBOX_REDIS_URL: redis.url },
  };
  const first = await openTestRuntime(options);
  const { commandId } = first.submit('openai', 'bash', { args: { line: 'touch ran.txt' } });
  await expect.poll(() => judge.requests.length).toBe(1);
  answers = true;
  await first.leave();
  await using second = await openTestRuntime(options);
  await second.ended(commandId);
  expect(await second.runtime.store.get(commandId)).toMatchObject({
    result: { outcome: { kind: 'denied', failure: { code: 'judge_denied' } } },
  });
  expect(judge.requests).toHaveLength(2);
  expect(existsSync(join(workspace, 'ran.txt'))).toBe(false);
}, 60_000);
