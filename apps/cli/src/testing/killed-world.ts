import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { startRedisServer } from '@signalbox/redis/testing';
import type { ApiClient, RunView } from '@signalbox/api';
import { setTimeout } from 'node:timers/promises';
import { ProviderId } from '@signalbox/core';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { MAIN } from './agent.ts';
import { findLocalAccess } from '../runtime/server/local-access.ts';
import { clientAt } from '../client/client-at.ts';
import { backgroundWorld, isDead, killed } from '../client/testing/background-world.ts';
import type { RuntimeEntry } from '../runtime/contract/runtime.ts';
import { writeOwnSettings } from './own-settings.ts';
import type { StatelessModel, TurnRequested } from './stateless-model.ts';

type ServingProcess = Readonly<{ stdout: Readable; stderr: Readable; kill(signal: 'SIGINT'): boolean }> &
  PromiseLike<Readonly<{ exitCode?: number | undefined }>>;

type Providers = Readonly<Record<string, Readonly<{ model: Pick<StatelessModel, 'url'>; key?: string }>>>;

/** A workspace whose coordinator, a real process, is killed and replaced during a test. */
export type KilledWorld = Readonly<{
  directory: string;
  /** For terminals: a coordinator that they start is another process. */
  entry: RuntimeEntry;
  /** Of the present coordinator. */
  client(): ApiClient;
  /** Writes the settings, and starts the first coordinator. */
  open(providers: Providers, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Kills the coordinator, after so long, and starts the next one; settles when that answers. One after the other. */
  restart(afterMs?: number): Promise<void>;
  kill(): Promise<void>;
  /** Sends SIGTERM, as a reboot does; settles when the process has exited. */
  terminate(): Promise<void>;
  /** Settles when no restart is going on. */
  restarted(): Promise<void>;
  /** Starts `signalbox serve` on any port. */
  serve(...flags: readonly string[]): ServingProcess;
  /** Starts another coordinator, for a workspace on Redis. */
  beside(): Promise<ApiClient>;
  start(body: StartBody): Promise<RunView>;
  /** Settles when that run has ended. */
  ended(run: Pick<RunView, 'id'>): Promise<RunView>;
}>;

/** Task of each provider, and options of the run. */
type StartBody = Readonly<{ tasks: Readonly<Record<string, string>> }> &
  Omit<Parameters<ApiClient['startRun']>[0], 'assignments'>;

export function killedWorld(env: Readonly<Record<string, string>> = {}): KilledWorld {
  const world = backgroundWorld(env);
  let access: Awaited<ReturnType<typeof world.connect>> | undefined;
  let restarting: Promise<void> = Promise.resolve();

  function present(): NonNullable<typeof access> {
    if (access === undefined) throw new Error('no coordinator was started');
    return access;
  }

  async function kill(): Promise<void> {
    await killed(present().pid);
  }

  function serve(...flags: readonly string[]) {
    const argv = [MAIN, '-C', world.directory, 'serve', '--port', '0', ...flags];
    const child = execa(process.execPath, argv, { env: world.env, extendEnv: false, reject: false });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  async function restartAfter(earlier: Promise<void>, ms: number): Promise<void> {
    await earlier;
    await setTimeout(ms);
    if (!isDead(present().pid)) await kill();
    access = await world.connect();
  }

  return {
    directory: world.directory,
    entry: world.entry,
    client: () => clientAt(present()),
    async open(providers, more = {}) {
      const settings = Object.entries(providers).map(([id, { model, key = null }]) => [
        id,
        { api: 'openai-chat', base_url: model.url, model: 'm', api_key_env: key },
      ]);
      const text = JSON.stringify({ ...more, providers: Object.fromEntries(settings) as object });
      await writeOwnSettings(world.directory, { text });
      access = await world.connect();
    },
    kill,
    terminate: () => killed(present().pid, { signal: 'SIGTERM' }),
    restart(afterMs = 0) {
      restarting = restartAfter(restarting, afterMs);
      return restarting;
    },
    restarted: () => restarting,
    serve,
    async beside() {
      await once(serve('--no-local', '--json').stdout, 'data');
      const found = findLocalAccess(world.directory);
      if (found === null) throw new Error('it left no access');
      return clientAt(found);
    },
    start({ tasks, ...more }) {
      const assignments = Object.entries(tasks).map(([id, task]) => ({
        provider: ProviderId.parse(id),
        task,
      }));
      return clientAt(present()).startRun({ ...more, assignments });
    },
    async ended({ id }) {
      const state = async (): Promise<string> => (await clientAt(present()).getRun({ id })).state;
      await expect.poll(state, { timeout: 200_000 }).toBe('ended');
      return clientAt(present()).getRun({ id });
    },
  };
}

/** Lines of a file of the workspace; none if it is not there. */
export function linesOf({ directory }: Pick<KilledWorld, 'directory'>, name: string): readonly string[] {
  const file = join(directory, name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Kills the coordinator instead of the answer of that turn, once. */
export function killedAt(world: KilledWorld, turn: number, meanwhile = async (): Promise<void> => undefined) {
  let isKilled = false;
  return async (request: TurnRequested): Promise<boolean> => {
    if (request.turn !== turn || isKilled) return true;
    isKilled = true;
    await meanwhile();
    await world.restart();
    return false;
  };
}

/** All that the model was sent. */
export function textOf({ messages }: TurnRequested): string {
  return JSON.stringify(messages);
}

/** Environment for that backend. */
export async function environmentOf(backend: string): Promise<Readonly<Record<string, string>>> {
  if (backend === 'embedded') return {};
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  return { SIGNALBOX_REDIS_URL: server.url };
}
