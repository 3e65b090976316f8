import { closeSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { totalmem, userInfo } from 'node:os';
import {
  type Clock,
  EMPTY_OUTPUT,
  type Execution,
  type ExecutionHooks,
  type ExecutionRequest,
  type Executor,
  type Isolation,
  SandboxError,
  ToolFailure,
  UsageError,
} from '@signalbox/core';
import { confinementArguments } from './bubblewrap.ts';
import { type CreateCgroup, findCgroups } from './cgroup.ts';
import { cleanEnvironment } from './clean-env.ts';
import { runCommand, type RunOptions } from './command-run.ts';
import { commitsOf } from './commit/commit.ts';
import { createWriteRefusals } from './commit/write-refusals.ts';
import { defaultIsDenied } from './default-denials.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { probeLayer, TRIAL, UNCONFINED } from './isolation.ts';
import { createMounts, GIT_CONFIG, isInside } from './mounts.ts';
import { findUnshare, type LauncherOptions } from './overlay/launcher.ts';
import { asTransaction, whyNoOverlay } from './overlay/try-overlay.ts';
import { prepareState, type PreparedState } from './state-folder.ts';
import { rehearse, runTransaction, type TransactionOptions } from './transaction-run.ts';

const MAX_INPUT_BYTES = 1024 ** 2;

/** What a command may make of files, folders and links in all. */
const MAX_NAMES = 500_000;

/**
 * Runs commands in bubblewrap, on an overlay of the workspace or on the workspace itself; or, where an operator
 * says so, without any confinement.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  const { workspace, clock, stateFolder, isDenied = defaultIsDenied } = options;
  checkWorkspace(workspace);
  const confined = options.confinement === 'required';
  let prepared: PreparedState | null = null;
  let groups: { readonly create: CreateCgroup | null } | null = null;
  let probed: Promise<Isolation> | null = null;
  /** What confines a command that only looks, where others are transactions. */
  let looking: Isolation | null = null;
  const mounts = createMounts({
    workspace,
    stateFolder,
    homes: [options.home, userInfo().homedir],
    path: options.path,
    visible: options.visible ?? [],
    gitConfig: `${stateFolder}/gitconfig`,
    isDenied,
  });
  const launcher: LauncherOptions = {
    unshare: findUnshare() ?? '',
    uid: userInfo().uid,
    workspace,
    mountPoint: `${stateFolder}/overlay`,
    maxBytes: options.maxWrittenBytes ?? Math.min(2 * 1024 ** 3, Math.floor(totalmem() / 4)),
    maxNames: MAX_NAMES,
  };
  const whyRefused = createWriteRefusals(workspace, isDenied);

  /** Once asked for, since a trial costs some system calls. */
  function findGroups(): CreateCgroup | null {
    groups ??= { create: confined ? findCgroups() : null };
    return groups.create;
  }

  /** The layer is tried once; a failure is tried again by the next command, since it may have been mended. */
  function isolation(): Promise<Isolation> {
    if (!confined) return Promise.resolve(UNCONFINED);
    probed ??= probe().catch((cause: unknown) => {
      probed = null;
      throw cause;
    });
    return probed;
  }

  async function probe(): Promise<Isolation> {
    const bound = await probeLayer((request, hooks) => run(request, hooks, UNCONFINED), {
      uid: userInfo().uid,
      hasCgroups: findGroups() !== null,
    });
    if (options.transactions === undefined || options.transactions === 'off') return bound;
    const hooks = { signal: new AbortController().signal, onOutput: () => undefined };
    const why = await whyNoOverlay(
      TRIAL,
      (request) =>
        withRun(request, bound, true, (base) => rehearse(request, hooks, transactionOptions(base))),
      options,
    );
    if (why === null) {
      looking = { ...bound, tracking: { strength: 'enforced', why: 'It can only look' } };
      return asTransaction(bound, launcher);
    }
    if (options.transactions === 'where-possible') return { ...bound, tracking: { strength: 'off', why } };
    throw new SandboxError('Cannot run commands as transactions, which the settings require', {
      why: [why],
      next: ['signalbox doctor'],
    });
  }

  function transactionOptions(base: RunOptions): TransactionOptions {
    mkdirSync(launcher.mountPoint, { recursive: true, mode: 0o700 });
    return {
      run: base,
      launcher,
      clockFile: `${stateFolder}/kernel-time`,
      commits: commitsOf(stateFolder),
      whyRefused,
      rollBackOn: options.rollBackOn ?? [],
    };
  }

  /** Leads `use` to all that one command needs but its overlay. */
  async function withRun<Answer>(
    request: ExecutionRequest,
    current: Isolation,
    isTransaction: boolean,
    use: (base: RunOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const state = (prepared ??= prepareState(options));
    const folder = workingFolder(workspace, request.cwd);
    const env = cleanEnvironment(request, {
      path: options.path,
      home: isUsableHome(options.home) ? options.home : '/tmp',
      gitConfig: confined ? GIT_CONFIG : state.gitConfig,
    });
    const shown = isTransaction ? { shown: `${launcher.mountPoint}/merged` } : {};
    const confine = (argv: readonly string[]): readonly [string, ...string[]] => [
      state.bubblewrap,
      ...mounts({ ...request, ...shown }),
      ...confinementArguments(userInfo(), request),
      '--chdir',
      folder,
      '--',
      ...argv,
    ];
    const seccomp = confined ? state.openFilter() : null;
    try {
      return await use({
        clock,
        graceMs: options.graceMs ?? 2000,
        spillFolder: `${stateFolder}/output`,
        cwd: folder,
        env,
        isolation: current,
        confine: confined ? confine : null,
        seccomp,
        openPipe: state.openPipe,
        createCgroup: findGroups(),
      });
    } finally {
      if (seccomp !== null) closeSync(seccomp);
    }
  }

  function run(request: ExecutionRequest, hooks: ExecutionHooks, current: Isolation): Promise<Execution> {
    const isTransaction = current.layer === 'overlay' && request.workspace === 'write';
    return withRun(request, current, isTransaction, (base) =>
      isTransaction
        ? runTransaction(request, hooks, transactionOptions(base))
        : runCommand(request, hooks, base),
    );
  }

  return {
    isolation,
    async execute(request, hooks) {
      if (Buffer.byteLength(request.stdin ?? '') > MAX_INPUT_BYTES) {
        throw new UsageError(
          'input-too-large',
          `Cannot give the command its input: over ${MAX_INPUT_BYTES} bytes`,
        );
      }
      const probedLayer = await isolation();
      const layer = request.workspace === 'read' ? (looking ?? probedLayer) : probedLayer;
      const current = request.network === 'on' ? { ...layer, net: NETWORK_ASKED_FOR } : layer;
      return hooks.signal.aborted ? notStarted(clock, current) : run(request, hooks, current);
    },
  };
}

const NETWORK_ASKED_FOR: Isolation['net'] = { strength: 'off', why: 'The call was given the network' };

function notStarted(clock: Clock, isolation: Isolation): Execution {
  return {
    ended: { kind: 'stopped' },
    stdout: EMPTY_OUTPUT,
    stderr: EMPTY_OUTPUT,
    startedAt: clock.now(),
    durationMs: 0,
    usage: { cpuMs: null, peakMemoryBytes: null },
    isolation,
  };
}

function checkWorkspace(workspace: string): void {
  if (workspace === '/' || realpathSync(workspace) !== workspace) {
    throw new UsageError(
      'workspace',
      `Cannot use "${workspace}" as workspace: give the real path of a project`,
    );
  }
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
    throw refuse('path_not_allowed', 'it is no path of the workspace');
  let real: string;
  try {
    real = realpathSync(`${workspace}/${cwd}`);
  } catch {
    throw refuse('not-found', 'no such directory');
  }
  if (!isInside(real, workspace)) throw refuse('path_not_allowed', 'it leads out of the workspace');
  if (!statSync(real).isDirectory()) throw refuse('not-found', 'it is no directory');
  return real;
}
