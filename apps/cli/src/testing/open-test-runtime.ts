import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Submitted } from '@signalbox/coordinator';
import {
  type CallContextInput,
  type CommandId,
  type CommandResult,
  createId,
  type Event,
  type EventType,
  parseSettings,
  ProviderId,
  type SessionId,
  type Settings,
} from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../runtime/compose.ts';
import { auditFilesOf } from '../runtime/audit-files.ts';
import type { Runtime, OpenApi } from '../runtime/contract/runtime.ts';
import { serverRules } from '../commands/serve/server-rules.ts';
import { loadSettings } from '../runtime/settings/load-settings.ts';
import { configHomeOf } from './own-settings.ts';

export type TestRuntime = AsyncDisposable & {
  readonly runtime: Runtime;
  /** On the socket of the workspace, where subcommands find it. */
  readonly api: OpenApi;
  readonly workspace: string;
  readonly logger: ReturnType<typeof createMemoryLogger>;
  /** One session per name; the same name is the same session. */
  submit(
    provider: string,
    tool: string,
    options: Readonly<{ args: Record<string, unknown>; context?: Partial<CallContextInput> | undefined }>,
  ): Submitted;
  call(provider: string, tool: string, args: Record<string, unknown>): Promise<CommandResult>;
  read(path: string): string;
  auditLines(): readonly Record<string, unknown>[];
  /** The first matching event of that type, from the log or later. */
  event<Type extends EventType>(
    type: Type,
    fits?: (event: Extract<Event, { type: Type }>) => boolean,
  ): Promise<Extract<Event, { type: Type }>>;
  /** Settles when that command is done, or was already. */
  ended(id: CommandId): Promise<void>;
  /** Releases the workspace from this process, and keeps the folder. */
  leave(): Promise<void>;
};

/** Records of workspaces led by tests; kept out of the home folder of the user who runs them. */
export const TEST_STATE = join(tmpdir(), 'signalbox-test-state');

const ENDINGS: ReadonlySet<string> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** Git folders of repositories whose one commit has these files, by the files as JSON. */
const madeRepositories = new Map<string, string>();

/** Made once for the same files: copying costs a tenth of starting git, and more the larger this process is. */
function repositoryWith(files: Readonly<Record<string, string>>): string {
  const key = JSON.stringify(files);
  const known = madeRepositories.get(key);
  if (known !== undefined) return known;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-repository-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const git = join(folder, '.git');
  cpSync(emptyRepository(), git, { recursive: true });
  writeFiles(folder, files);
  // One process start from this large process instead of two.
  const commit = 'git add . && git commit -q --allow-empty -m start';
  execFileSync('/bin/sh', ['-c', commit], { cwd: folder });
  madeRepositories.set(key, git);
  return git;
}

let madeEmpty: string | null = null;

/** The git folder of a repository without a commit. */
function emptyRepository(): string {
  if (madeEmpty === null) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-repository-')));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync('git', ['init', '-q', '-b', 'main', folder]);
    madeEmpty = join(folder, '.git');
    const settings = '[user]\n\tname = Test\n\temail = test@localhost\n[maintenance]\n\tauto = false\n';
    appendFileSync(join(madeEmpty, 'config'), settings);
  }
  return madeEmpty;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: path === '.git/config' ? 'a' : 'w' });
  }
}

/** A temporary git workspace with these files, in the folder for temporary files or another one. */
export function createTestWorkspace(
  files: Readonly<Record<string, string>> = {},
  parent: string = tmpdir(),
): string {
  const workspace = realpathSync(mkdtempSync(join(parent, 'signalbox-test-')));
  cpSync(repositoryWith(files), join(workspace, '.git'), { recursive: true });
  const own = Object.entries(files).filter(([path]) => !path.startsWith('.git/'));
  writeFiles(workspace, Object.fromEntries(own));
  return workspace;
}

/** @param written `signalbox.yaml` as data */
function settingsFrom(written: Readonly<Record<string, unknown>>): Settings {
  const parsed = parseSettings(written);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

/** A real coordinator on a temporary workspace: real store, scheduler, sandbox, files and tools. */
export async function openTestRuntime(
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly workspace?: string;
    readonly apiKeys?: Readonly<Record<string, string>>;
  } = {},
): Promise<TestRuntime> {
  const workspace = options.workspace ?? createTestWorkspace(options.files);
  const logger = createMemoryLogger();
  const runtime = await openRuntime({
    workspace,
    settings: settingsFrom(options.settings ?? {}),
    unconfined: false,
    user: 'ana',
    subcommand: 'test',
    // Without the machine's git configuration, which a start would read through a process of its own.
    apiKeys: {
      PATH: process.env['PATH'],
      XDG_STATE_HOME: TEST_STATE,
      GIT_CONFIG_NOSYSTEM: '1',
      ...options.apiKeys,
    },
    log: logger,
    clock: createSystemClock(),
  });
  const world = {
    directory: workspace,
    // Excludes settings of the user who runs the tests.
    env: { XDG_CONFIG_HOME: configHomeOf(workspace) },
    clock: createSystemClock(),
    random: createSeededRandom(10),
    user: 'ana',
  };
  const api = await runtime.openApi({
    user: world.user,
    idleExitMs: null,
    onStop: () => undefined,
    signal: new AbortController().signal,
    rulesOf: ({ coordinator, applyPolicy }) => serverRules(world, coordinator, applyPolicy),
    loadSettings: async () =>
      options.settings === undefined ? (await loadSettings(world)).settings : settingsFrom(options.settings),
  });
  const random = createSeededRandom(1);
  const sessions = new Map<string, SessionId>();
  let calls = 0;

  function sessionOf(provider: string): SessionId {
    const session = sessions.get(provider) ?? createId('session', random);
    sessions.set(provider, session);
    return session;
  }

  const testRuntime: TestRuntime = {
    runtime,
    api,
    workspace,
    logger,
    submit(provider, tool, { args, context = {} }) {
      calls += 1;
      return runtime.coordinator.submit(
        { callId: `call-${calls}`, tool, args },
        { sessionId: sessionOf(provider), provider: ProviderId.parse(provider), ...context },
      );
    },
    call: (provider, tool, args) => testRuntime.submit(provider, tool, { args }).result,
    read: (path) => readFileSync(join(workspace, path), 'utf8'),
    auditLines: () =>
      auditFilesOf(workspace).flatMap((file) =>
        readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      ),
    event(type, fits = () => true) {
      return firstOf(async (found) => {
        const render = (event: Event): void => {
          if (event.type !== type) return;
          const candidate = event as Parameters<typeof fits>[0];
          if (fits(candidate)) found(candidate);
        };
        const stop = runtime.events.subscribe(render);
        const replay = await runtime.events.since(null, 100_000);
        for (const event of replay.kind === 'events' ? replay.events : []) render(event);
        return stop;
      });
    },
    ended(id) {
      return firstOf(async (found) => {
        const stop = runtime.events.subscribe((event) => {
          if (ENDINGS.has(event.type) && 'commandId' in event && event.commandId === id) found();
        });
        const record = await runtime.store.get(id);
        if (record?.state === 'done') found();
        return stop;
      });
    },
    leave: () => runtime.close(),
    async [Symbol.asyncDispose]() {
      await runtime.close();
      for (const folder of [workspace, configHomeOf(workspace)])
        rmSync(folder, { recursive: true, force: true });
    },
  };
  return testRuntime;
}

/** The first non-empty result of `render`; returns how to stop. */
async function firstOf<Found>(
  render: (found: (value: Found) => void) => Promise<() => void>,
): Promise<Found> {
  const { promise, resolve } = Promise.withResolvers<Found>();
  const stop = await render(resolve);
  const found = await promise;
  stop();
  return found;
}
