import { expect, test } from 'vitest';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { of, openLiveWorkspace } from '../../testing/live-workspace.ts';

test('an agent that quits or is killed does not disturb other commands (A-B4)', async () => {
  const world = await openLiveWorkspace();
  const first = await world.agent('claude-code');
  const second = await world.agent('codex');
  const third = await world.agent('gemini');
  const answer = second.bash(world.held('go'));
  await world.next('command_started');
  await first.leave();
  process.kill(third.pid, 'SIGKILL');
  const fourth = await world.agent('opencode');
  expect(await fourth.bash('echo beside')).toContain('beside');
  world.letGo('go');
  expect(await answer).toContain('go is done');
  expect(world.audit().map(({ provider, result }) => [provider, result])).toEqual([
    ['opencode', 'completed'],
    ['codex', 'completed'],
  ]);
});

test('when the coordinator is killed the next call starts another: each call gets one answer, and none runs twice (A-B5)', async () => {
  const world = await openLiveWorkspace();
  const idle = await world.agent('claude-code');
  const busy = await world.agent('codex');
  const answer = busy.bash(world.held('never'));
  const line = world.exec(world.held('never'));
  await world.next('command_started', of('codex'));
  await world.next('command_started', of('you'));
  const killed = world.coordinator();
  process.kill(killed, 'SIGKILL');
  expect(await idle.bash('echo after')).toContain('after');
  expect(await answer).toMatch(/lost/);
  expect(await line.exitCode).toBe(EXIT.lost);
  expect(world.coordinator()).not.toBe(killed);
  expect(world.results()).toEqual(['claude-code completed', 'codex lost', 'you lost']);
});

test('exec, two agents and an event stream work at once, and killing one disturbs no other (U-B4)', async () => {
  const world = await openLiveWorkspace();
  const first = await world.agent('claude-code');
  const second = await world.agent('codex');
  const line = world.exec(world.held('line'));
  const gone = first.bash(world.held('first')).catch((error: unknown) => error);
  const answer = second.bash(world.held('second'));
  for (const provider of ['claude-code', 'codex', 'you']) await world.next('command_started', of(provider));
  const heard = world.next('command_completed', of('codex'));
  await line.begun;
  line.kill();
  await world.next('command_cancelled', of('you'));
  process.kill(first.pid, 'SIGKILL');
  await world.next('command_cancelled', of('claude-code'));
  expect(await gone).toBeInstanceOf(Error);
  world.letGo('second');
  expect(await answer).toContain('second is done');
  expect(await heard).toMatchObject({ type: 'command_completed' });
  expect(world.results()).toEqual(['claude-code cancelled', 'codex completed', 'you cancelled']);
});
