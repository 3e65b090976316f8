import { realpathSync, statSync } from 'node:fs';
import {
  type ExecutionRequest,
  type Isolation,
  isWithin,
  ToolFailure,
  UnavailableError,
} from '@signalbox/core';
import { ownAccount } from './account.ts';
import { confinementArguments } from './bubblewrap/bubblewrap.ts';
import { cleanEnvironment } from './bubblewrap/clean-env.ts';
import { type SandboxInit, startInit, startUnconfinedInit } from './bubblewrap/init-process.ts';
import { initArgv } from './bubblewrap/init.ts';
import { mountsOf } from './bubblewrap/mounts-of.ts';
import { GIT_CONFIG } from './bubblewrap/mounts.ts';
import { createStandby, type Standby } from './bubblewrap/standby.ts';
import type { CommandRunOptions } from './layers/command-run-options.ts';
import type { ExecutorOptions } from './executor-options.ts';
import type { LayerRequest } from './layers/layer.ts';
import { type CreateCgroup, findCgroups } from './limits/cgroup.ts';
import { readTrusted } from './programs.ts';
import { safePath } from './safe-path.ts';
import { prepareState, type PreparedState } from './state-folder.ts';
import { createStarter, type Starter } from './starter/starter.ts';
import { createSupervisor } from './supervisor/supervisor.ts';

/** What all layers share: folders, mounts, processes, standbys. */
export type SandboxContext = {
  /** Creates control groups; null if the machine doesn't let us. */
  readonly groups: () => CreateCgroup | null;
  /** Makes the pipes of the first starts in a small process, not in ours. */
  readonly prepare: () => Promise<void>;
  /** Bubblewrap and its version. */
  readonly backend: () => Promise<string>;
  /**
   * The arguments of a sandbox init in bubblewrap.
   *
   * @param shown The folder mounted as the workspace. Default: the workspace itself.
   */
  readonly confinedArgv: (request: LayerRequest, shown?: string) => Promise<readonly [string, ...string[]]>;
  /** The options of a run behind these arguments, which are built at each set-up and end in a sandbox init. */
  readonly confinedRun: (
    request: LayerRequest,
    isolation: Isolation,
    argvNow: () => Promise<readonly [string, ...string[]]>,
  ) => CommandRunOptions;
  /** The mounts bubblewrap would get. */
  readonly mounts: (request: LayerRequest) => Promise<readonly string[]>;
  /** The options of a run with another sandbox init. `env` overrides the environment of all commands. */
  readonly runWith: (
    request: ExecutionRequest,
    isolation: Isolation,
    own: Pick<CommandRunOptions, 'env' | 'takeInit' | 'hasOwnUsers'> & { readonly onBegun: () => void },
  ) => CommandRunOptions;
  /**
   * The options of a run we don't confine.
   *
   * @param by A third-party init with its own confinement.
   */
  readonly unconfinedRun: (
    request: ExecutionRequest,
    isolation: Isolation,
    by?: Pick<Parameters<typeof startUnconfinedInit>[0], 'argv' | 'cwd' | 'env'>,
  ) => CommandRunOptions;
  /** See `Executor.close`. */
  readonly close: () => Promise<void>;
};

/** Kinds of commands with a standby: typically read-only and writing. */
const KINDS = 2;
/** Upper bound on standbys of a kind, when that many came at once. */
const MAX_PER_KIND = 8;

/** The first line that bubblewrap prints of itself, by the file that printed it. */
const versions = new Map<string, Promise<string>>();

/** Asked by every layer and every trial, of the same file. */
async function versionOf(bubblewrap: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { dev, ino, ctimeMs } = statSync(bubblewrap);
  const key = [bubblewrap, dev, ino, ctimeMs].join('\0');
  const known = versions.get(key);
  if (known !== undefined) return known;
  const asked = readTrusted([bubblewrap, '--version'], { cwd: '/', env, timeoutMs: 5000 });
  const version = asked.then((text) => text.trim());
  versions.set(key, version);
  version.catch(() => versions.delete(key));
  return version;
}

export function createSandboxContext(options: ExecutorOptions): SandboxContext {
  const { workspace, clock, stateFolder } = options;
  let prepared: PreparedState | null = null;
  let groups: { readonly create: CreateCgroup | null } | null = null;
  const mounts = mountsOf(options);
  const supervisor = createSupervisor();
  let starter: Starter | null = null;
  let isClosed = false;
  const standby: Standby = createStandby({
    kinds: options.standby ?? KINDS,
    max: MAX_PER_KIND,
    clock,
    start: startConfined,
  });

  const state = (): PreparedState => (prepared ??= prepareState(options));

  /** Its process begins with the first request. */
  function ownStarter(): Starter {
    if (isClosed) throw executorClosed();
    return (starter ??= createStarter({ folder: stateFolder, supervisor, ...state() }));
  }

  function startConfined(argv: readonly [string, ...string[]]): SandboxInit {
    return startInit({ argv, createGroup: findGroups(), supervisor, starter: ownStarter() });
  }

  /** Found on first use, since a trial costs system calls. */
  function findGroups(): CreateCgroup | null {
    if (groups !== null) return groups.create;
    groups = { create: findCgroups() };
    supervisor.tidy(groups.create?.prefixes ?? []);
    return groups.create;
  }

  function environment(request: ExecutionRequest, gitConfig: string): Record<string, string> {
    const home = isUsableHome(options.home) ? options.home : '/tmp';
    // A program a command wrote into the workspace must not get a login under a tool's name.
    const ofClient = request.clientEnv?.PATH ?? options.path;
    const path = request.login === undefined ? ofClient : safePath(ofClient, workspace);
    return cleanEnvironment(request, { path, home, gitConfig, certificates: options.certificates ?? {} });
  }

  const common = {
    clock,
    supervisor,
    graceMs: options.graceMs ?? 2000,
    spillFolder: `${stateFolder}/output`,
    outputsKept: options.transactionRules?.copiesKept,
  };

  return {
    groups: findGroups,
    prepare: async () => ownStarter().prepare(),
    async close() {
      isClosed = true;
      standby.close();
      await starter?.close();
      await supervisor.close();
      prepared?.close();
    },
    async backend() {
      const env = { PATH: options.path, LC_ALL: 'C.UTF-8' };
      try {
        return await versionOf(state().bubblewrap(), env);
      } catch {
        return 'bubblewrap';
      }
    },
    mounts(request) {
      state();
      return mounts(request);
    },
    runWith: (request, isolation, { env, hasOwnUsers, takeInit, onBegun }) => ({
      ...common,
      cwd: workingFolder(workspace, request.cwd),
      env: { ...environment(request, GIT_CONFIG), ...env },
      isolation,
      confined: true,
      hasOwnUsers,
      diesWithUs: false,
      takeInit,
      onBegun,
    }),
    confinedArgv: async (request, shown) => [
      state().bubblewrap(),
      ...(await mounts(shown === undefined ? request : { ...request, shown })),
      ...confinementArguments(ownAccount(), request),
      '--',
      ...initArgv(),
    ],
    confinedRun(request, isolation, argvNow) {
      const { gate } = request;
      let entered: readonly [string, ...string[]] | null = null;
      return {
        ...common,
        cwd: workingFolder(workspace, request.cwd),
        env: { ...environment(request, GIT_CONFIG), ...gate?.env },
        isolation,
        confined: true,
        hasOwnUsers: true,
        diesWithUs: true,
        async takeInit() {
          const argv = await argvNow();
          entered = gate === undefined ? argv : [...gate.argv, ...argv];
          return standby.take(entered);
        },
        onBegun() {
          if (entered !== null) standby.prepare(entered);
        },
      };
    },
    unconfinedRun(request, isolation, by) {
      const { gitConfig, pipes } = state();
      const cwd = workingFolder(workspace, request.cwd);
      const env = environment(request, gitConfig);
      const strayCommandId = request.commandId;
      return {
        ...common,
        cwd,
        env,
        isolation,
        confined: false,
        hasOwnUsers: false,
        diesWithUs: false,
        takeInit: () =>
          startUnconfinedInit({
            ...(by ?? { argv: initArgv(), cwd, env }),
            strayCommandId,
            pipes,
            supervisor,
          }),
      };
    },
  };
}

/** A later command would start again what was closed. */
export function executorClosed(): UnavailableError {
  return new UnavailableError('closed', 'Cannot run the command: this Signalbox process is stopping', {
    next: ['Send it again: the next coordinator takes it'],
  });
}

function isUsableHome(home: string): boolean {
  return home !== '/' && (statSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function workingFolder(workspace: string, cwd: string): string {
  const refuse = (code: string, why: string): ToolFailure =>
    new ToolFailure({
      code,
      category: code === 'path_not_allowed' ? 'PolicyBlocked' : 'InvalidParameters',
      message: `Cannot run in "${cwd}": ${why}`,
    });
  if (cwd.startsWith('/') || cwd.includes('\0'))
    throw refuse('path_not_allowed', 'it is not a path of the workspace');
  let real: string;
  try {
    real = realpathSync(`${workspace}/${cwd}`);
  } catch {
    throw refuse('not-found', 'no such directory');
  }
  if (!isWithin(real, workspace)) throw refuse('path_not_allowed', 'it leads out of the workspace');
  if (!statSync(real).isDirectory()) throw refuse('not-found', 'it is not a directory');
  return real;
}
