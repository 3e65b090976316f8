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
  /** The mounts bubblewrap would get. Only the workspace and mounts in it are used. */
  readonly mounts: readonly string[];
  readonly network: 'off' | 'on';
  readonly limits: BoundedLimits;
  /** File of the seccomp profile. */
  readonly seccomp: string;
  readonly init: readonly string[];
};

/** Size of each folder for temporary files, in memory. */
const TEMPORARY_BYTES = 1024 ** 3;

/** Processes of the whole user, as there is no other count for this limit. */
const MAX_PROCESSES = 32_768;

/**
 * Arguments that start a container for one command: a read-only file system, no capabilities and no way to gain
 * any, no network, limits by control groups. The container is removed when it ends.
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
      // Podman's default is above what most machines allow; the control group limits it anyway.
      ['--ulimit', `nproc=${MAX_PROCESSES}:${MAX_PROCESSES}`],
      TEMPORARY_FOLDERS.flatMap((folder) => [
        '--tmpfs',
        `${folder}:rw,nosuid,nodev,size=${TEMPORARY_BYTES},mode=1777`,
      ]),
      bind(channels, CHANNELS_AT, { isReadOnly: false }),
      mounts,
      [image],
      init,
    ].flat(),
  ];
}

/** Whether the engine is rootless and runs containers in their own user namespace. */
export function hasOwnUsers({ engine }: ContainerOptions): boolean {
  return basename(engine[0]) === 'podman' && ownAccount().uid !== 0;
}

/** Converts percent of all processors to a number of processors. */
function processorsOf(cpuPercent: number): string {
  return Math.max(0.01, (cpuPercent / 100) * availableParallelism()).toFixed(2);
}

/** Quoted, so that commas and quotes in a path are safe (RFC 4180, read by both engines). */
function bind(source: string, target: string, { isReadOnly }: Readonly<{ isReadOnly: boolean }>): string[] {
  const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;
  const fields = ['type=bind', quoted(`source=${source}`), quoted(`target=${target}`)];
  return ['--mount', [...fields, ...(isReadOnly ? ['readonly'] : [])].join(',')];
}

/**
 * Takes the workspace and the masks in it from bubblewrap's arguments.
 *
 * @param empty An empty folder; podman would copy the covered files into a tmpfs.
 */
export function mountsFrom(
  bubblewrap: readonly string[],
  options: { readonly isInWorkspace: (path: string) => boolean; readonly empty: string },
): string[] {
  const { isInWorkspace, empty } = options;
  return bubblewrap.flatMap((word, at) => {
    const [first = '', second = ''] = bubblewrap.slice(at + 1, at + 3);
    if (word === '--bind' && isInWorkspace(second)) return bind(first, second, { isReadOnly: false });
    if (word === '--ro-bind' && isInWorkspace(second)) return bind(first, second, { isReadOnly: true });
    if (word === '--tmpfs' && isInWorkspace(first)) return bind(empty, first, { isReadOnly: true });
    return [];
  });
}
