import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Event, type EventType, InvariantError } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { readRecord } from './client/coordinator-record.ts';
import { EXIT } from './frame/exit-code.ts';
import { newsFromServer } from './sight/news-from-server.ts';
import { type Agent, MAIN, programEnv, startAgent } from './testing/agent.ts';
import { writeOwnSettings } from './testing/own-settings.ts';
import { ownWorkspace } from './testing/own-workspace.ts';

const clock = createSystemClock();

/** A `signalbox exec` at work; `begun` when it has printed something. */
type Line = Readonly<{ begun: Promise<unknown>; exitCode: Promise<number | undefined>; kill(): void }>;

type World = Readonly<{
  workspace: string;
  agent(provider: string): Promise<Agent>;
  exec(line: string): Line;
  /** Process of the coordinator that leads now. */
  coordinator(): number;
  /** From when on it is called: the first event of that type that fits. */
  next<Type extends EventType>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** A shell line that runs until {@link letGo} names it. */
  held(name: string): string;
  letGo(name: string): void;
  audit(): readonly Readonly<{ command_id: string; provider: string; result: string }>[];
}>;

async function openWorld(): Promise<World> {
  const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
  await writeOwnSettings(workspace, 'approval: { approval_mode: allow_all }\n');
  mkdirSync(join(workspace, 'signals'));
  const record = () => {
    const found = readRecord(workspace);
    if (found === null) throw new InvariantError('no coordinator runs');
    return found;
  };
  return {
    workspace,
    async agent(provider) {
      const agent = await startAgent(workspace, provider);
      onTestFinished(agent.leave);
      return agent;
    },
    exec(line) {
      const argv = [MAIN, '-C', workspace, 'exec', '--', line];
      const options = { env: programEnv(workspace), stdin: 'ignore', reject: false } as const;
      const child = execa(process.execPath, argv, options);
      return {
        begun: once(child.stdout, 'data'),
        exitCode: child.then(({ exitCode }) => exitCode),
        kill: () => void child.kill('SIGKILL'),
      };
    },
    coordinator: () => record().pid,
    async next(type, fits = () => true) {
      const { socket, pid } = record();
      const leave = new AbortController();
      const access = { url: 'http://localhost', token: '', pid, socket };
      const say = (): void => undefined;
      const news = newsFromServer(access, { after: '0-0', clock, signal: leave.signal, say });
      for await (const one of news) {
        if (one.kind !== 'event' || one.event.type !== type) continue;
        const event = one.event as Parameters<typeof fits>[0];
        if (!fits(event)) continue;
        leave.abort();
        return event;
      }
      throw new InvariantError('the events ended');
    },
    held: (name) =>
      `echo begun; until ls signals | grep -qx ${name}; do sleep 0.02; done; echo ${name} is done`,
    letGo: (name) => writeFileSync(join(workspace, 'signals', name), ''),
    audit: () =>
      readFileSync(join(workspace, '.signalbox/audit.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ReturnType<World['audit']>[number]),
  };
}

const of =
  (provider: string) =>
  (event: { readonly provider?: string }): boolean =>
    event.provider === provider;

test('an agent that quits or is killed disturbs nobody else’s command (A-B4)', async () => {
  const world = await openWorld();
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
  const world = await openWorld();
  const idle = await world.agent('claude-code');
  const busy = await world.agent('codex');
  const answer = busy.bash(world.held('never'));
  const line = world.exec(world.held('never'));
  await world.next('command_started', of('codex'));
  await world.next('command_started', of('you'));
  const killed = world.coordinator();
  process.kill(killed, 'SIGKILL');
  const at = performance.now();
  expect(await idle.bash('echo after')).toContain('after');
  console.log(`answered ${Math.round(performance.now() - at)} ms after kill -9 of the coordinator`);
  expect(await answer).toMatch(/lost/);
  expect(await line.exitCode).toBe(EXIT.lost);
  expect(world.coordinator()).not.toBe(killed);
  expect(
    world
      .audit()
      .map(({ provider, result }) => `${provider} ${result}`)
      .toSorted(),
  ).toEqual(['claude-code completed', 'codex lost', 'you lost']);
});

test('exec, two agents and a stream of events work at once, and whoever is killed disturbs no other (U-B4)', async () => {
  const world = await openWorld();
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
  expect(
    world
      .audit()
      .map(({ provider, result }) => `${provider} ${result}`)
      .toSorted(),
  ).toEqual(['claude-code cancelled', 'codex completed', 'you cancelled']);
});
