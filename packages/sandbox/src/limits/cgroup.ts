import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  write,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BoundedLimits } from './bounded-limits.ts';
import {
  CGROUP_VERSIONS,
  type CgroupVersion,
  type ControllerFolders,
  CPU_PERIOD_US,
  numberIn,
} from './cgroup-version.ts';

/** A control group for one command, which the kernel counts and limits. */
export type Cgroup = {
  /** Whether the kernel limits its CPU share. */
  readonly limitsCpu: boolean;
  /** Sets the limits of its processes, on top of the processes in it now. */
  limit(limits: GroupLimits): void;
  /** Removes the CPU limit: a command being stopped may need CPU time for it. */
  freeCpu(): void;
  /**
   * Moves a process into the group, along with processes it starts later. Takes about 10 ms, unless another
   * process was moved just before.
   */
  attach(pid: number): Promise<void>;
  usage(): GroupUsage;
  /** Call when all its processes are dead. */
  remove(): Promise<void>;
};

export type GroupLimits = Pick<BoundedLimits, 'memoryBytes' | 'processes' | 'cpuPercent'>;

export type GroupUsage = {
  /** CPU time of live and dead processes; null if the kernel doesn't count it. */
  readonly cpuMs: number | null;
  readonly peakMemoryBytes: number;
  readonly ranOutOfMemory: boolean;
  /** How long its processes were throttled. */
  readonly throttledMs: number;
  /** How often a fork was rejected. */
  readonly refusedProcesses: number;
};

/** Creates a group without limits. */
export type CreateCgroup = {
  (): Cgroup;
  /** Whether CPU time can be limited too. */
  readonly limitsCpu: boolean;
  /** Prefixes that exactly the folders of its groups have. */
  readonly prefixes: readonly string[];
};

/**
 * Finds out whether we can create control groups, by creating one. Mostly possible as root only; null
 * otherwise.
 */
export function findCgroups(): CreateCgroup | null {
  for (const version of CGROUP_VERSIONS) {
    try {
      const parents = version.parents(readFileSync('/proc/self/cgroup', 'utf8'));
      removeLeftovers(parents);
      const prefix = `${PREFIX}${randomUUID()}-`;
      tryGroup(() => createCgroup(version, prefix, parents));
      const withCpu = withCpuWhereItWorks(version, prefix, parents);
      return Object.assign(() => createCgroup(version, prefix, withCpu), {
        limitsCpu: withCpu.cpu !== null,
        prefixes: foldersOf(groupNamed(prefix, withCpu)),
      });
    } catch {
      // Another version, or not permitted.
    }
  }
  return null;
}

/** The memory and pids controllers are required; the CPU controller may be missing. */
function withCpuWhereItWorks(
  version: CgroupVersion,
  prefix: string,
  parents: ControllerFolders,
): ControllerFolders {
  const without = { ...parents, cpu: null };
  for (const tried of [parents, without]) {
    try {
      tryGroup(() => createCgroup(version, prefix, tried), 50);
      return tried;
    } catch {
      // Not with this controller.
    }
  }
  return { ...without, cpuacct: null };
}

function tryGroup(create: () => Cgroup, cpuPercent = 100): void {
  const group = create();
  try {
    group.limit({ memoryBytes: 2 ** 30, processes: 64, cpuPercent });
    group.usage();
  } finally {
    void group.remove();
  }
}

const PREFIX = 'signalbox-';

/** @param prefix Of the names of this process's groups. */
function createCgroup(version: CgroupVersion, prefix: string, parents: ControllerFolders): Cgroup {
  const own = groupNamed(`${prefix}${randomUUID()}`, parents);
  const folders = foldersOf(own);
  for (const folder of folders) makeGroup(folder);

  return {
    limitsCpu: own.cpu !== null,
    limit({ memoryBytes, processes, cpuPercent }) {
      writeFileSync(join(own.memory, version.memoryLimit), String(memoryBytes));
      const swap = join(own.memory, 'memory.swap.max');
      if (existsSync(swap)) writeFileSync(swap, '0');
      // The processes in it so far are the sandbox init and its confinement.
      const existing = Number(readFileSync(join(own.pids, 'pids.current'), 'utf8'));
      writeFileSync(join(own.pids, 'pids.max'), String(processes + existing));
      if (own.cpu !== null && cpuPercent < 100) {
        writeFileSync(join(own.cpu, version.cpuLimit), version.toCpuLimit(quotaOf(cpuPercent)));
      }
    },
    freeCpu() {
      if (own.cpu !== null) writeFileSync(join(own.cpu, version.cpuLimit), version.toCpuLimit(null));
    },
    async attach(pid) {
      const left = folders.filter((folder) => !isInGroup(pid, folder));
      await Promise.all(left.map((folder) => writeInThread(join(folder, 'cgroup.procs'), String(pid))));
    },
    usage: () => ({
      cpuMs: version.cpuMs(own),
      peakMemoryBytes: Number(readFileSync(join(own.memory, version.memoryPeak), 'utf8')),
      ranOutOfMemory: numberIn(join(own.memory, version.memoryKills), 'oom_kill') > 0,
      throttledMs: version.throttledMs(own),
      refusedProcesses: numberIn(join(own.pids, 'pids.events'), 'max'),
    }),
    async remove() {
      for (const folder of folders) {
        // The kernel releases dead processes with a delay.
        for (let attempt = 0; attempt < 20 && !(await removed(folder)); attempt++) await pause(5 * attempt);
      }
    },
  };
}

/** Only the write is slow; opening and closing it in other threads too would cost two more round trips. */
async function writeInThread(path: string, text: string): Promise<void> {
  const file = openSync(path, 'w');
  try {
    await writeTo(file, Buffer.from(text));
  } finally {
    closeSync(file);
  }
}

const writeTo = promisify(write);

function groupNamed(name: string, parents: ControllerFolders): ControllerFolders {
  return {
    memory: join(parents.memory, name),
    pids: join(parents.pids, name),
    cpu: parents.cpu === null ? null : join(parents.cpu, name),
    cpuacct: parents.cpuacct === null ? null : join(parents.cpuacct, name),
  };
}

function foldersOf(group: ControllerFolders): readonly string[] {
  return [...new Set(Object.values(group))].filter((folder) => folder !== null);
}

/** Whether a process is in a group. Moving it there again takes as long as the first time. */
function isInGroup(pid: number, folder: string): boolean {
  return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').includes(String(pid));
}

/** Converts percent of all processors to CPU time per period. */
function quotaOf(cpuPercent: number): number {
  return Math.max(1000, Math.round((cpuPercent / 100) * availableParallelism() * CPU_PERIOD_US));
}

/** Creates a group. Outside the cgroup file system it would be a plain folder. */
function makeGroup(folder: string): void {
  mkdirSync(folder);
  if (existsSync(join(folder, 'cgroup.procs'))) return;
  rmdirSync(folder);
  throw new Error(`"${folder}" is no control group`);
}

/** Another process may have created it and not yet moved its first process. */
const YOUNG_MS = 60_000;

/** Removes groups of processes that were killed. A group in use can't be removed. */
function removeLeftovers(parents: ControllerFolders): void {
  const now = groupTime(parents.memory);
  for (const parent of new Set(Object.values(parents))) {
    if (parent === null) continue;
    for (const name of readdirSync(parent)) {
      const folder = join(parent, name);
      if (!name.startsWith(PREFIX)) continue;
      const stats = statSync(folder, { throwIfNoEntry: false });
      if (stats !== undefined && now - stats.mtimeMs > YOUNG_MS) void removed(folder);
    }
  }
}

/** The mtime of a group created now, in epoch ms; our own clock may differ. */
function groupTime(parent: string): number {
  const folder = join(parent, `${PREFIX}${randomUUID()}`);
  makeGroup(folder);
  try {
    return statSync(folder).mtimeMs;
  } finally {
    rmdirSync(folder);
  }
}

async function removed(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
