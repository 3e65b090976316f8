import { closeSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import {
  type Clock,
  EMPTY_OUTPUT,
  type Execution,
  type ExecutionRequest,
  type Executor,
  type Isolation,
  ToolFailure,
  UsageError,
} from '@signalbox/core';
import { confinementArguments } from './bubblewrap.ts';
import { type CreateCgroup, findCgroups } from './cgroup.ts';
import { cleanEnvironment } from './clean-env.ts';
import { runCommand } from './command-run.ts';
import { defaultIsDenied } from './default-denials.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { probeLayer, UNCONFINED } from './isolation.ts';
import { createMounts, GIT_CONFIG, isInside } from './mounts.ts';
import { prepareState, type PreparedState } from './state-folder.ts';

const MAX_INPUT_BYTES = 1024 ** 2;

/** Runs commands in bubblewrap on the workspace itself, or, where an operator says so, without it. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { workspace, clock, stateFolder } = options;
  checkWorkspace(workspace);
  const confined = options.confinement === 'required';
  let prepared: PreparedState | null = null;
  let groups: { readonly create: CreateCgroup | null } | null = null;
  let probed: Promise<Isolation> | null = null;
  const mounts = createMounts({
    workspace,
    stateFolder,
    homes: [options.home, userInfo().homedir],
    path: options.path,
    visible: options.visible ?? [],
    gitConfig: `${stateFolder}/gitconfig`,
    isDenied: options.isDenied ?? defaultIsDenied,
  });

  /** Once asked for, since a trial costs some system calls. */
  function findGroups(): CreateCgroup | null {
    groups ??= { create: confined ? findCgroups() : null };
    return groups.create;
  }

  /** The layer is tried once; a failure is tried again by the next command, since it may have been mended. */
  function isolation(): Promise<Isolation> {
    if (!confined) return Promise.resolve(UNCONFINED);
    probed ??= probeLayer((request, hooks) => run(request, hooks, UNCONFINED), {
      uid: userInfo().uid,
      hasCgroups: findGroups() !== null,
    }).catch((cause: unknown) => {
      probed = null;
      throw cause;
    });
    return probed;
  }

  const run: RunConfined = async (request, hooks, current) => {
    const state = (prepared ??= prepareState(options));
    const folder = workingFolder(workspace, request.cwd);
    const env = cleanEnvironment(request, {
      path: options.path,
      home: isUsableHome(options.home) ? options.home : '/tmp',
      gitConfig: confined ? GIT_CONFIG : state.gitConfig,
    });
    const seccomp = confined ? state.openFilter() : null;
    try {
      return await runCommand(request, hooks, {
        clock,
        graceMs: options.graceMs ?? 2000,
        spillFolder: `${stateFolder}/output`,
        cwd: folder,
        env,
        isolation: current,
        confine: confined
          ? (argv) => [
              state.bubblewrap,
              ...mounts(request),
              ...confinementArguments(userInfo(), request),
              '--chdir',
              folder,
              '--',
              ...argv,
            ]
          : null,
        seccomp,
        openPipe: state.openPipe,
        createCgroup: findGroups(),
      });
    } finally {
      if (seccomp !== null) closeSync(seccomp);
    }
  };

  return {
    isolation,
    async execute(request, hooks) {
      if (Buffer.byteLength(request.stdin ?? '') > MAX_INPUT_BYTES) {
        throw new UsageError(
          'input-too-large',
          `Cannot give the command its input: over ${MAX_INPUT_BYTES} bytes`,
        );
      }
      const layer = await isolation();
      const current = request.network === 'on' ? { ...layer, net: NETWORK_ASKED_FOR } : layer;
      return hooks.signal.aborted ? notStarted(clock, current) : run(request, hooks, current);
    },
  };
}

type RunConfined = (
  request: ExecutionRequest,
  hooks: Parameters<Executor['execute']>[1],
  current: Isolation,
) => Promise<Execution>;

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
