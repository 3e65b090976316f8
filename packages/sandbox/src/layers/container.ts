import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { basename, join } from 'node:path';
import { type Isolation, isWithin, SandboxError } from '@signalbox/core';
import { ownAccount } from '../account.ts';
import { TEMPORARY_FOLDERS } from '../bubblewrap/machine-paths.ts';
import type { SandboxInit } from '../bubblewrap/init-process.ts';
import { initArgv } from '../bubblewrap/init.ts';
import { GIT_CONFIG } from '../bubblewrap/mounts.ts';
import { createStandby } from '../bubblewrap/standby.ts';
import { CGROUP_VERSIONS } from '../limits/cgroup-version.ts';
import type { SandboxContext } from '../sandbox-context.ts';
import type { CommandRunOptions } from './command-run-options.ts';
import { runCommand } from '../command-run.ts';
import { createChannels, OPEN_CHANNELS } from '../containers/channels.ts';
import { startContainerInit } from '../containers/container-init.ts';
import type { ContainerOptions } from '../containers/container-options.ts';
import { hasOwnUsers, mountsFrom, runArguments } from '../containers/engine-arguments.ts';
import { seccompProfile } from '../containers/seccomp-profile.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { TRIAL, UNCONFINED, whatIsMissing, WRITTEN_TO_DISK } from '../isolation.ts';
import { runWithNamesWatched } from '../limits/watch-new-names.ts';
import { memoryForFiles, withWrittenBounds } from '../limits/written-bounds.ts';
import { runTrusted } from '../programs.ts';
import { putText } from '../state-folder.ts';
import type { Layer, LayerRequest } from './layer.ts';

/** Where an image has its programs; the machine's folders don't apply. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * L3: a container for each command, with one standby. In a shared container commands could see and kill each
 * other, and processes left behind could not be attributed.
 */
export function createContainerLayer(
  context: SandboxContext,
  container: ContainerOptions,
  options: ExecutorOptions,
): Layer {
  const { workspace, stateFolder } = options;
  const { engine } = container;
  const env = { PATH: options.path, HOME: options.home, LC_ALL: 'C.UTF-8' };
  const shown = new Set([GIT_CONFIG, ...Object.values(options.certificates ?? {})]);
  const isShown = (path: string): boolean => isWithin(path, workspace) || shown.has(path);
  const standby = createStandby({ kinds: options.standby ?? 1, max: 1, clock: options.clock, start });

  /** Fills in a name and a pipe folder for each container. */
  function start(argv: readonly [string, ...string[]]): SandboxInit {
    const name = `signalbox-${randomUUID()}`;
    const channels = createChannels(stateFolder);
    const own = argv.map((word) => word.replaceAll(NAME, name).replaceAll(FOLDER, channels.folder));
    const [program = '', ...words] = own;
    return startContainerInit({ engine, name, argv: [program, ...words], env, channels });
  }

  function emptyFolder(): string {
    const folder = `${stateFolder}/empty`;
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    return folder;
  }

  /** Read by the engine at each container start; commands see the folder empty. */
  function profileFile(): string {
    const profile = seccompProfile(arch());
    if (profile === null) {
      throw new SandboxError(`Cannot run commands: there is no seccomp filter for "${arch()}"`, {
        next: ['Run Signalbox on x64 or arm64'],
      });
    }
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const file = `${stateFolder}/seccomp.json`;
    putText(file, JSON.stringify(profile));
    return file;
  }

  async function argvOf(request: LayerRequest): Promise<readonly [string, ...string[]]> {
    if (typeof request.network !== 'string') {
      throw new SandboxError('Cannot run the command: containers have no gate to single hosts', {
        why: ['An engine gives a container the whole network or none, and no other program can join it'],
        next: ['Install bubblewrap, whose commands have a gate'],
      });
    }
    return runArguments(container, {
      name: NAME,
      channels: FOLDER,
      mounts: mountsFrom(await context.mounts(request), { isInWorkspace: isShown, empty: emptyFolder() }),
      network: request.network,
      limits: request.limits,
      seccomp: profileFile(),
      init: initArgv(OPEN_CHANNELS),
    });
  }

  function runOptions(request: LayerRequest, isolation: Isolation): CommandRunOptions {
    let argv: readonly [string, ...string[]] | null = null;
    return context.runWith(request, isolation, {
      hasOwnUsers: hasOwnUsers(container),
      env: { PATH, HOME: '/tmp' },
      takeInit: async () => standby.take((argv = await argvOf(request))),
      onBegun() {
        if (argv !== null) standby.prepare(argv);
      },
    });
  }

  return {
    name: 'container',
    async probe() {
      const version = runTrusted([...engine, '--version'], options.path);
      if (version === null) {
        throw new SandboxError(`Cannot use containers: the program "${engine[0]}" can't be run`, {
          next: [`Install ${basename(engine[0])}`],
        });
      }
      let hasGroup = false;
      const onStart = (pid: number): void => {
        hasGroup = isLimitedByGroup(pid, TRIAL.limits.memoryBytes);
      };
      const done = await runCommand(TRIAL, { ...SILENT, onStart }, runOptions(TRIAL, UNCONFINED));
      // A rootful engine shares the machine's users; its processes have no capabilities all the same.
      const missing = whatIsMissing(done.stdout.text, ['user']);
      if (done.ended.kind === 'exited' && missing.length === 0) return isolationOf(version.trim(), hasGroup);
      throw new SandboxError('Cannot confine commands in containers: a trial failed', {
        why: [`The trial ended: ${JSON.stringify(done.ended)}`, ...missing, done.stderr.text.trim()],
        next: ['signalbox doctor'],
      });
    },
    async run(request, hooks, isolation) {
      const limits = withWrittenBounds(request.limits, memoryForFiles(options.filesInMemoryBytes));
      return runWithNamesWatched({ ...request, limits }, hooks, {
        ...runOptions(request, isolation),
        workspace,
        writesToDisk: true,
      });
    },
  };
}

/** Placeholders for each container's own values, so that arguments can be compared. */
const NAME = '\u0001name\u0001';
const FOLDER = '\u0001folder\u0001';

const NO_GROUP = "The engine can't create control groups here";

const SILENT = { signal: new AbortController().signal, onOutput: () => undefined };

/** @param hasGroup Whether the engine really set the limits; otherwise they are sampled. */
function isolationOf(backend: string, hasGroup: boolean): Isolation {
  const enforced: Isolation['fs'] = { strength: 'enforced' };
  const rootWhy = 'Runs as root of the machine, without capabilities: an ordinary user is safer';
  return {
    layer: 'container',
    backend,
    fs: ownAccount().uid === 0 ? { strength: 'enforced', why: rootWhy } : enforced,
    net: enforced,
    pid: enforced,
    syscalls: enforced,
    limits: {
      cpu: hasGroup
        ? enforced
        : { strength: 'sampled', why: `${NO_GROUP}: commands over their share are paused` },
      memory: hasGroup ? enforced : { strength: 'sampled', why: `${NO_GROUP}: sampled every 100 ms` },
      processes: enforced,
      disk: {
        strength: 'sampled',
        why: `${WRITTEN_TO_DISK.why}; names in /tmp only by the kernel's own bound`,
      },
    },
    tracking: { strength: 'off', why: 'Commands write to the workspace directly' },
    ownFolders: TEMPORARY_FOLDERS,
  };
}

/**
 * Whether a process is in a control group with exactly this memory limit. An engine that may not create such
 * groups still starts its containers, without any limit.
 */
function isLimitedByGroup(pid: number, memoryBytes: number): boolean {
  return CGROUP_VERSIONS.some((version) => {
    try {
      const { memory } = version.parents(readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
      return Number(readFileSync(join(memory, version.memoryLimit), 'utf8')) === memoryBytes;
    } catch {
      // Another cgroup version, or unreadable.
      return false;
    }
  });
}
