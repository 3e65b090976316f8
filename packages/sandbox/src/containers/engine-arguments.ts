import { basename } from 'node:path';
import { availableParallelism } from 'node:os';
import { ownAccount } from '../account.ts';
import { TEMPORARY_FOLDERS } from '../bubblewrap/machine-paths.ts';
import type { BoundedLimits } from '../limits/bounded-limits.ts';
import { CHANNELS_AT } from './channels.ts';
import type { ContainerOptions } from './container-options.ts';

export type ContainerRequest = {
  readonly name: string;
  /** Folder of the pipes. */
  readonly channels: string;
  /** What bubblewrap would be told to mount; of it the workspace and what lies in it counts here. */
  readonly mounts: readonly string[];
  readonly network: 'off' | 'on';
  readonly limits: BoundedLimits;
  /** File of the filter of system calls, for the engine. */
  readonly seccomp: string;
  readonly init: readonly string[];
};

/** Size of each folder for temporary files, in memory. */
const TEMPORARY_BYTES = 1024 ** 3;

/** Of all processes of a user, since there is no other count for it. */
const MAX_PROCESSES = 32_768;

/**
 * Arguments that start a container for one command: its file system read-only, no capabilities, no way to new
 * ones, no network, limits by control groups. It is removed when it ends.
 */
export function runArguments(
  container: ContainerOptions,
  request: ContainerRequest,
): readonly [string, ...string[]] {
  const { engine, image } = container;
  const { name, channels, mounts, network, limits, seccomp, init } = request;
  const { uid, gid } = ownAccount();
  const megabytes = String(Math.ceil(limits.memoryBytes / 1024 ** 2));
  const [program, ...own] = engine;
  return [
    program,
    ...[
      own,
      ['run', '--rm', '--name', name, '--pull', 'never', '--log-driver', 'none', '--entrypoint', ''],
      ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ['--security-opt', `seccomp=${seccomp}`],
      ['--user', `${uid}:${gid}`, ...(hasOwnUsers(container) ? ['--userns', 'keep-id'] : [])],
      network === 'off' ? ['--network', 'none'] : [],
      limits.cpuPercent < 100 ? ['--cpus', processorsOf(limits.cpuPercent)] : [],
      ['--pids-limit', String(limits.processes + 1)],
      ['--memory', `${megabytes}m`, '--memory-swap', `${megabytes}m`],
      ['--ulimit', `nofile=${limits.openFiles}:${limits.openFiles}`, '--ulimit', 'core=0:0'],
      // Podman asks for more than an ordinary machine grants; the group bounds it anyway.
      ['--ulimit', `nproc=${MAX_PROCESSES}:${MAX_PROCESSES}`],
      TEMPORARY_FOLDERS.flatMap((folder) => [
        '--tmpfs',
        `${folder}:rw,nosuid,nodev,size=${TEMPORARY_BYTES},mode=1777`,
      ]),
      bind(channels, CHANNELS_AT, false),
      mounts,
      [image],
      init,
    ].flat(),
  ];
}

/** Whether an engine that needs no root keeps its containers in a user namespace of their own. */
export function hasOwnUsers({ engine }: ContainerOptions): boolean {
  return basename(engine[0]) === 'podman' && ownAccount().uid !== 0;
}

/** Percent of all processors, as a number of them. */
function processorsOf(cpuPercent: number): string {
  return Math.max(0.01, (cpuPercent / 100) * availableParallelism()).toFixed(2);
}

/** Commas and quotes in a path are nothing special between quotes (RFC 4180, which both engines read). */
function bind(source: string, target: string, isReadOnly: boolean): string[] {
  const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;
  const fields = ['type=bind', quoted(`source=${source}`), quoted(`target=${target}`)];
  return ['--mount', [...fields, ...(isReadOnly ? ['readonly'] : [])].join(',')];
}

/**
 * The workspace and the masks in it, from the arguments for bubblewrap.
 *
 * @param empty A folder in which nothing is: a tmpfs would be filled by podman with what it covers.
 */
export function mountsFrom(
  bubblewrap: readonly string[],
  options: { readonly isInWorkspace: (path: string) => boolean; readonly empty: string },
): string[] {
  const { isInWorkspace, empty } = options;
  return bubblewrap.flatMap((word, at) => {
    const [first = '', second = ''] = bubblewrap.slice(at + 1, at + 3);
    if (word === '--bind' && isInWorkspace(second)) return bind(first, second, false);
    if (word === '--ro-bind' && isInWorkspace(second)) return bind(first, second, true);
    if (word === '--tmpfs' && isInWorkspace(first)) return bind(empty, first, true);
    return [];
  });
}
