import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CommandView } from '@signalbox/api';
import { killCoordinators } from '@signalbox/core/testing';
import { inject } from 'vitest';

const MAIN = inject('program');

/** A real workspace with a real server in a separate process. */
export type ServedWorkspace = AsyncDisposable & {
  readonly workspace: string;
  /** Its address; the same after a restart. */
  readonly url: string;
  /** Opens the dashboard once. */
  link(): Promise<string>;
  /** Sends a call as that provider; returns once it waits, runs or is done. */
  send(provider: string, line: string): Promise<CommandView>;
  call(provider: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<CommandView>;
  /** A request of another client: the API as the local operator. */
  ask<Answer>(method: string, path: string, options?: Readonly<{ body?: unknown }>): Promise<Answer>;
  /** The command once it is done. */
  ended(id: string): Promise<CommandView>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

/**
 * @param settings text of `signalbox.yaml`; none by default.
 * @param local text of the user's own settings of this workspace, which may name providers; none by default.
 */
export async function serveWorkspace(settings?: string, local?: string): Promise<ServedWorkspace> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-page-')));
  const env = { ...process.env, XDG_CONFIG_HOME: `${workspace}.config` };
  mkdirSync(join(workspace, 'src'));
  writeFileSync(join(workspace, 'src', 'parser.ts'), 'export const plus = 1;\n');
  if (settings !== undefined) writeFileSync(join(workspace, 'signalbox.yaml'), settings);
  if (local !== undefined) {
    mkdirSync(join(workspace, '.signalbox'));
    writeFileSync(join(workspace, '.signalbox', 'local.yaml'), local);
    execFileSync(process.execPath, [MAIN, '-C', workspace, 'config', 'trust', '--yes'], {
      env,
      stdio: 'ignore',
    });
  }
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', workspace]);
  // Makes a push that could succeed: only then is approval requested.
  const who = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com'];
  const git = (...args: string[]): unknown => execFileSync('git', [...who, ...args], { cwd: workspace });
  git('commit', '--quiet', '--allow-empty', '--message=Start');
  git('remote', 'add', 'origin', 'https://git.example.com/x.git');
  let server: ChildProcess | null = null;
  let url = '';

  async function start(): Promise<void> {
    const port = url === '' ? '0' : new URL(url).port;
    const child = spawn(process.execPath, [MAIN, 'serve', '--port', port, '--json'], {
      cwd: workspace,
      env,
      // Its messages to people are not needed; its prompts are answered.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    server = child;
    for await (const line of createInterface(child.stdout)) {
      const notice = JSON.parse(line) as { event?: string; url?: string };
      if (notice.event !== 'server.started') continue;
      url = notice.url ?? '';
      return;
    }
    throw new Error('Cannot open a coordinator for the test: its server ended');
  }

  async function stop(): Promise<void> {
    const child = server;
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }

  async function ask<Answer = CommandView>(
    method: string,
    path: string,
    { body }: Readonly<{ body?: unknown }> = {},
  ): Promise<Answer> {
    const { token } = JSON.parse(readFileSync(join(workspace, '.signalbox', 'server.json'), 'utf8')) as {
      token: string;
    };
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  const call: ServedWorkspace['call'] = (provider, tool, args) =>
    ask('POST', '/api/commands', { body: { tool, args, provider, task: 'A task of the test' } });

  await start();
  return {
    workspace,
    get url() {
      return url;
    },
    async link() {
      const { code } = await ask<{ code: string }>('POST', '/api/entry-codes', { body: {} });
      return `${url}/#enter=${code}`;
    },
    ask,
    call,
    send: (provider, line) => call(provider, 'bash', { line }),
    async ended(id) {
      for (;;) {
        const command = await ask('GET', `/api/commands/${id}`);
        if (command.state === 'done') return command;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      killCoordinators(workspace);
      rmSync(workspace, { recursive: true, force: true });
      rmSync(`${workspace}.config`, { recursive: true, force: true });
    },
  };
}
