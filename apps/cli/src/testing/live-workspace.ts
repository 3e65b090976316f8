import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Event, type EventType, InvariantError } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { readRecord } from '../runtime/server/coordinator-record.ts';
import { followEvents } from '../client/event-stream.ts';
import { type McpTestAgent, MAIN, programEnv, startAgent } from './agent.ts';
import { writeOwnSettings } from './own-settings.ts';
import { ownWorkspace } from './own-workspace.ts';

const clock = createSystemClock();

/** Long enough that no agent is told to poll and no line times out, however busy the machine; all run at once. */
export const PATIENT = [
  'mcp: { max_wait: 10m }',
  'execution: { max_concurrent_executions: 8 }',
  'tools: { bash: { timeout: 10m } }',
  '',
].join('\n');

/** A running `signalbox`; `begun` is its first output. */
export type TestProgram = Readonly<{
  pid: number;
  begun: Promise<string>;
  exitCode: Promise<number | undefined>;
  kill(): void;
}>;

export type LiveWorkspace = Readonly<{
  workspace: string;
  agent(provider: string): Promise<McpTestAgent>;
  /** Starts a subcommand, which is killed at the end of the test. */
  start(...args: readonly string[]): TestProgram;
  exec(line: string): TestProgram;
  /** Pid of the current coordinator. */
  coordinator(): number;
  /** The first matching event of that type after the call. */
  next<Type extends EventType>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** A shell line that runs until {@link letGo} names it. */
  held(name: string): string;
  letGo(name: string): void;
  audit(): readonly Readonly<{ command_id: string; provider: string; result: string }>[];
  /** The result of each command, as "provider result", sorted. */
  results(): readonly string[];
}>;

/**
 * A workspace in which everything runs at once, as separate programs.
 *
 * @param own an existing workspace; default: a new one, where every call is allowed
 * @param more environment variables for all its programs
 */
export async function openLiveWorkspace(
  own?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<LiveWorkspace> {
  const workspace = own ?? ownWorkspace({ 'signalbox.yaml': '{}\n' });
  if (own === undefined)
    await writeOwnSettings(workspace, { text: `approval: { approval_mode: allow_all }\n${PATIENT}` });
  const env = { ...programEnv(workspace), ...more };
  mkdirSync(join(workspace, 'signals'));
  const record = () => {
    const found = readRecord(workspace);
    if (found === null) throw new InvariantError('no coordinator runs');
    return found;
  };
  const audit: LiveWorkspace['audit'] = () =>
    auditFiles(join(workspace, '.signalbox')).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ReturnType<LiveWorkspace['audit']>[number]),
    );
  function start(...args: readonly string[]): TestProgram {
    const argv = [MAIN, '-C', workspace, ...args];
    const child = execa(process.execPath, argv, { env, stdin: 'ignore', reject: false });
    onTestFinished(() => void child.kill('SIGKILL'));
    return {
      pid: child.pid ?? 0,
      begun: once(child.stdout, 'data').then(([text]) => String(text)),
      exitCode: child.then(({ exitCode }) => exitCode),
      kill: () => void child.kill('SIGKILL'),
    };
  }
  return {
    workspace,
    async agent(provider) {
      const agent = await startAgent(workspace, provider, more);
      onTestFinished(agent.leave);
      return agent;
    },
    start,
    exec: (line) => start('exec', '--', line),
    coordinator: () => record().pid,
    async next(type, fits = () => true) {
      const { socket, pid } = record();
      const leave = new AbortController();
      const access = { url: 'http://localhost', token: '', pid, socket };
      const say = (): void => undefined;
      const update = followEvents(access, { after: '0-0', clock, signal: leave.signal, say });
      for await (const one of update) {
        if (one.kind !== 'event' || one.event.type !== type) continue;
        const event = one.event as Parameters<typeof fits>[0];
        if (!fits(event)) continue;
        leave.abort();
        return event;
      }
      throw new InvariantError('the events ended');
    },
    held: heldLine,
    letGo: (name) => writeFileSync(join(workspace, 'signals', name), ''),
    audit,
    results: () =>
      audit()
        .map(({ provider, result }) => `${provider} ${result}`)
        .toSorted(),
  };
}

/** On Redis each coordinator has its own. */
function auditFiles(folder: string): readonly string[] {
  const each = join(folder, 'audit');
  if (!existsSync(each)) return [join(folder, 'audit.jsonl')];
  return readdirSync(each).map((name) => join(each, name));
}

/** A shell line that prints, and runs until a file of that name is in `signals`. */
export function heldLine(name: string): string {
  return `echo begun; until ls signals | grep -qx ${name}; do sleep 0.02; done; echo ${name} is done`;
}

/** Whether an event is of that provider. */
export const of =
  (provider: string) =>
  (event: { readonly provider?: string }): boolean =>
    event.provider === provider;
