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

/** A group of processes that the kernel counts and limits together, for one command. */
export type Cgroup = {
  /** Whether the kernel holds it to its share of the processors. */
  readonly limitsCpu: boolean;
  /** Sets what its processes may use together, besides the processes that stand in it now. */
  limit(limits: GroupLimits): void;
  /** Gives it all processors: what is asked to end may need time for it. */
  freeCpu(): void;
  /**
   * Puts a process into it; what it starts from then on is in it too. Takes the kernel some 10 ms, unless another
   * one was moved the moment before.
   */
  attach(pid: number): Promise<void>;
  usage(): GroupUsage;
  /** When all its processes are dead. */
  remove(): Promise<void>;
};

export type GroupLimits = Pick<BoundedLimits, 'memoryBytes' | 'processes' | 'cpuPercent'>;

export type GroupUsage = {
  /** Of the living and the dead; null where the kernel does not count it. */
  readonly cpuMs: number | null;
  readonly peakMemoryBytes: number;
  readonly ranOutOfMemory: boolean;
  /** How long its processes had to wait because they had used up their share of the processors. */
  readonly throttledMs: number;
  /** How often it could not start one more process. */
  readonly refusedProcesses: number;
};

/** A group without limits. */
export type CreateCgroup = {
  (): Cgroup;
  /** Whether the share of processor time is limited too. */
  readonly limitsCpu: boolean;
  /** What the folders of all its groups begin with, and no others. */
  readonly prefixes: readonly string[];
};

/** Groups, where the system lets us make them: mostly as root. Null elsewhere. Tries by making one. */
export function findCgroups(): CreateCgroup | null {
  for (const version of CGROUP_VERSIONS) {
    try {
      const parents = version.parents(readFileSync('/proc/self/cgroup', 'utf8'));
      removeLeftovers(parents);
      const prefix = `${PREFIX}${randomUUID()}-`;
      tryGroup(() => createCgroup(version, parents, prefix));
      const withCpu = withCpuWhereItWorks(version, parents, prefix);
      return Object.assign(() => createCgroup(version, withCpu, prefix), {
        limitsCpu: withCpu.cpu !== null,
        prefixes: foldersOf(groupNamed(prefix, withCpu)),
      });
    } catch {
      // Not this version, or not ours to make.
    }
  }
  return null;
}

/** Memory and processes are needed; the processor is a controller of its own, which may be missing. */
function withCpuWhereItWorks(
  version: CgroupVersion,
  parents: ControllerFolders,
  prefix: string,
): ControllerFolders {
  const without = { ...parents, cpu: null };
  for (const tried of [parents, without]) {
    try {
      tryGroup(() => createCgroup(version, tried, prefix), 50);
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

/** @param prefix Of the names of one process's groups. */
function createCgroup(version: CgroupVersion, parents: ControllerFolders, prefix: string): Cgroup {
  const own = groupNamed(`${prefix}${randomUUID()}`, parents);
  const folders = foldersOf(own);
  for (const folder of folders) makeGroup(folder);

  return {
    limitsCpu: own.cpu !== null,
    limit({ memoryBytes, processes, cpuPercent }) {
      writeFileSync(join(own.memory, version.memoryLimit), String(memoryBytes));
      const swap = join(own.memory, 'memory.swap.max');
      if (existsSync(swap)) writeFileSync(swap, '0');
      // What stands in it already is the keeper and what confines it.
      const standing = Number(readFileSync(join(own.pids, 'pids.current'), 'utf8'));
      writeFileSync(join(own.pids, 'pids.max'), String(processes + standing));
      if (own.cpu !== null && cpuPercent < 100) {
        writeFileSync(join(own.cpu, version.cpuLimit), version.toCpuLimit(quotaOf(cpuPercent)));
      }
    },
    freeCpu() {
      if (own.cpu !== null) writeFileSync(join(own.cpu, version.cpuLimit), version.toCpuLimit(null));
    },
    async attach(pid) {
      const left = folders.filter((folder) => !stands(pid, folder));
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
        // The kernel lets go of the dead a little after they are gone.
        for (let attempt = 0; attempt < 20 && !(await removed(folder)); attempt++) await pause(5 * attempt);
      }
    },
  };
}

/** What takes long is the write alone; to open and close it in other threads too would be two more ways there and back. */
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

/** Whether a process is in a group: to move it there once more takes as long as the first time. */
function stands(pid: number, folder: string): boolean {
  return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').includes(String(pid));
}

/** Percent of all processors, as time of one of them in a period. */
function quotaOf(cpuPercent: number): number {
  return Math.max(1000, Math.round((cpuPercent / 100) * availableParallelism() * CPU_PERIOD_US));
}

/** In a folder that is none of the kernel's it would be a plain one. */
function makeGroup(folder: string): void {
  mkdirSync(folder);
  if (existsSync(join(folder, 'cgroup.procs'))) return;
  rmdirSync(folder);
  throw new Error(`"${folder}" is no control group`);
}

/** Another process may have made it and not put its first process into it yet. */
const YOUNG_MS = 60_000;

/** Groups of processes that were killed before they could tidy up. A group in use can't be removed. */
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

/** What time a group has that is made now, in epoch milliseconds: our own clock may be another one. */
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
