import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvariantError } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { findLocalAccess, type LocalAccess } from '../../runtime/server/local-access.ts';
import { followEvents } from '../../client/event-stream.ts';
import {
  heldLine,
  type LiveWorkspace,
  of,
  openLiveWorkspace,
  PATIENT,
} from '../../testing/live-workspace.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { scriptOf, workspaceFor } from '../../testing/scripted-workspace.ts';

const clock = createSystemClock();

/** A provider that makes this one call and then finishes; every call is allowed. */
async function workspaceWithRun(): Promise<string> {
  const workspace = await workspaceFor(
    scriptOf('openai', [{ tool: 'bash', args: { line: heldLine('run') } }]),
  );
  const written = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  const freed = written.replace('approval:\n', 'approval:\n  approval_mode: allow_all\n');
  await writeOwnSettings(workspace, { text: `${freed}${PATIENT}` });
  return workspace;
}

/** Opens a port; with several coordinators, the one of this process. */
async function serve(world: LiveWorkspace, ...args: readonly string[]) {
  const program = world.start('serve', '--port', '0', '--json', ...args);
  await program.begun;
  const access = findLocalAccess(world.workspace);
  if (access === null) throw new InvariantError('nothing is served');
  return { program, access };
}

/** The result of a shell line that a program requested over a port. */
async function bashAt(
  { url, token }: LocalAccess,
  { provider, line }: Readonly<{ provider: string; line: string }>,
): Promise<string> {
  const response = await fetch(`${url}/api/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ provider, tool: 'bash', args: { line }, wait: true }),
  });
  return response.text();
}

/** Events of ending commands, as a page receives them over the port, up to that many. */
async function followPage(
  access: LocalAccess,
  { after, endings: count }: Readonly<{ after: string; endings: number }>,
): Promise<Readonly<{ endings: readonly string[]; last: string }>> {
  const leave = new AbortController();
  const endings: string[] = [];
  const update = followEvents(access, { after, clock, signal: leave.signal, say: () => undefined });
  for await (const one of update) {
    if (one.kind !== 'event') continue;
    const { type } = one.event;
    if (type !== 'command_completed' && type !== 'command_cancelled' && type !== 'command_failed') continue;
    endings.push(`${type} ${one.event.provider}`);
    if (endings.length < count) continue;
    leave.abort();
    return { endings, last: one.event.id };
  }
  throw new InvariantError('the events ended');
}

test('run, serve, two agents, exec and a page work at once; each is killed in turn, and only its own work ends', async () => {
  const world = await openLiveWorkspace(await workspaceWithRun());
  const first = await world.agent('claude-code');
  const second = await world.agent('codex');
  const coordinator = world.coordinator();
  const serving = await serve(world);
  const page = followPage(serving.access, { after: '0-0', endings: 2 });
  const line = world.exec(world.held('line'));
  const run = world.start('run', 'Finish', '-p', 'openai', '--until', 'true');
  const gone = first.bash(world.held('first')).catch((error: unknown) => error);
  const answer = second.bash(world.held('second'));
  for (const provider of ['claude-code', 'you', 'openai']) await world.next('command_started', of(provider));
  const { commandId } = await world.next('command_started', of('codex'));

  await line.begun;
  line.kill();
  await world.next('command_cancelled', of('you'));
  process.kill(first.pid, 'SIGKILL');
  expect(await gone).toBeInstanceOf(Error);
  const seen = await page;
  expect(seen.endings).toEqual(['command_cancelled you', 'command_cancelled claude-code']);
  run.kill();
  serving.program.kill();
  await Promise.all([run.exitCode, serving.program.exitCode]);
  expect(world.results()).toEqual(['claude-code cancelled', 'you cancelled']);

  // The next page resumes where the port was closed.
  const again = followPage((await serve(world)).access, { after: seen.last, endings: 3 });
  world.letGo('second');
  expect(await answer).toContain('second is done');
  world.letGo('run');
  expect((await again).endings).toEqual([
    'command_completed codex',
    'command_completed openai',
    'command_completed you',
  ]);
  expect(world.coordinator()).toBe(coordinator);

  const lost = second.bash(world.held('never'));
  await world.next('command_started', (event) => of('codex')(event) && event.commandId !== commandId);
  process.kill(coordinator, 'SIGKILL');
  const third = await world.agent('gemini');
  expect(await third.bash('echo after')).toContain('after');
  expect(await lost).toMatch(/lost/);
  const all = ['claude-code cancelled', 'codex completed', 'codex lost', 'gemini completed'];
  expect(world.results()).toEqual([...all, 'openai completed', 'you cancelled', 'you completed']);
}, 300_000);

test('the same on Redis with three coordinators: commands of a killed one are lost, and nothing else is disturbed', async () => {
  const redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  onTestFinished(() => redis.close());
  const world = await openLiveWorkspace(await workspaceWithRun(), { SIGNALBOX_REDIS_URL: redis.url });
  const one = await serve(world, '--foreground');
  const two = await serve(world, '--foreground');
  const three = await serve(world, '--foreground');
  // The first has the socket; the others are reached by their ports.
  expect(world.coordinator()).toBe(one.program.pid);
  const page = followPage(three.access, { after: '0-0', endings: 7 });
  const first = await world.agent('claude-code');
  const second = await world.agent('codex');
  const gone = first.bash(world.held('first')).catch((error: unknown) => error);
  const lost = second.bash(world.held('never'));
  const line = world.exec(world.held('line'));
  const run = world.start('run', 'Finish', '-p', 'openai', '--until', 'true');
  const atTwo = bashAt(two.access, { provider: 'aider', line: world.held('two') });
  const atThree = bashAt(three.access, { provider: 'goose', line: world.held('three') });
  for (const provider of ['claude-code', 'codex', 'you', 'openai', 'aider', 'goose'])
    await world.next('command_started', of(provider));

  await line.begun;
  line.kill();
  await world.next('command_cancelled', of('you'));
  process.kill(first.pid, 'SIGKILL');
  expect(await gone).toBeInstanceOf(Error);
  await world.next('command_cancelled', of('claude-code'));
  run.kill();
  await run.exitCode;
  expect(world.results()).toEqual(['claude-code cancelled', 'you cancelled']);

  one.program.kill();
  world.letGo('two');
  expect(await atTwo).toContain('two is done');
  expect(await lost).toMatch(/lost/);
  // Clients of the lost coordinator continue at a new one; the others noticed nothing.
  expect(await second.bash('echo after')).toContain('after');
  const { endings } = await page;
  expect(endings.slice(0, 2)).toEqual(['command_cancelled you', 'command_cancelled claude-code']);
  expect(endings.slice(2).toSorted()).toEqual([
    'command_completed aider',
    'command_completed codex',
    // Another coordinator continues the run: its model reads that its line is lost, and the check runs.
    'command_completed you',
    'command_failed codex',
    'command_failed openai',
  ]);
  two.program.kill();
  world.letGo('three');
  expect(await atThree).toContain('three is done');
  const all = ['aider completed', 'claude-code cancelled', 'codex completed', 'codex lost'];
  const ofRun = ['openai lost', 'you cancelled', 'you completed'];
  expect(world.results()).toEqual([...all, 'goose completed', ...ofRun]);
}, 300_000);
