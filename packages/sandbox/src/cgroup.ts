import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionLimits } from '@signalbox/core';

/** A group of processes that the kernel counts and limits together, for one command. */
export type Cgroup = {
  /** Sets what its processes may use together; may be said again. */
  limit(limits: GroupLimits): void;
  /** Puts a process into it; what it starts from then on is in it too. Takes milliseconds in the kernel. */
  attach(pid: number): Promise<void>;
  usage(): { readonly peakMemoryBytes: number; readonly ranOutOfMemory: boolean };
  /** When all its processes are dead. */
  remove(): Promise<void>;
};

export type GroupLimits = Pick<ExecutionLimits, 'memoryBytes' | 'processes'>;

/** A group without limits. */
export type CreateCgroup = () => Cgroup;

/** Folders of the groups that we live in, by controller; with version 2 they are one. */
type Parents = { readonly memory: string; readonly pids: string };

/** Files of both versions (Linux `Documentation/admin-guide/cgroup-v1` and `cgroup-v2.rst`). */
const VERSIONS = [
  {
    parents: (groups: string): Parents => ({
      memory: join('/sys/fs/cgroup/memory', ownPath(groups, 'memory')),
      pids: join('/sys/fs/cgroup/pids', ownPath(groups, 'pids')),
    }),
    files: {
      memory: 'memory.limit_in_bytes',
      peak: 'memory.max_usage_in_bytes',
      kills: 'memory.oom_control',
    },
  },
  {
    parents: (groups: string): Parents => {
      const folder = join('/sys/fs/cgroup', ownPath(groups, ''));
      return { memory: folder, pids: folder };
    },
    files: { memory: 'memory.max', peak: 'memory.peak', kills: 'memory.events' },
  },
] as const;

/** Groups, where the system lets us make them: mostly as root. Null elsewhere. Tries by making one. */
export function findCgroups(): CreateCgroup | null {
  for (const version of VERSIONS) {
    try {
      const parents = version.parents(readFileSync('/proc/self/cgroup', 'utf8'));
      removeLeftovers(parents);
      const create: CreateCgroup = () => createCgroup(version, parents);
      tryGroup(create());
      return create;
    } catch {
      // Not this version, or not ours to make.
    }
  }
  return null;
}

function tryGroup(group: Cgroup): void {
  try {
    group.limit({ memoryBytes: 2 ** 30, processes: 64 });
    group.usage();
  } finally {
    void group.remove();
  }
}

const PREFIX = 'signalbox-';

function createCgroup(version: (typeof VERSIONS)[number], parents: Parents): Cgroup {
  const name = `${PREFIX}${randomUUID()}`;
  const [memory, pids] = [join(parents.memory, name), join(parents.pids, name)];
  const folders = [...new Set([memory, pids])];
  for (const folder of folders) mkdirSync(folder);
  const at = (folder: string, file: string): string => join(folder, file);

  return {
    limit({ memoryBytes, processes }) {
      writeFileSync(at(memory, version.files.memory), String(memoryBytes));
      const swap = at(memory, 'memory.swap.max');
      if (existsSync(swap)) writeFileSync(swap, '0');
      // The keeper stands in it as well.
      writeFileSync(at(pids, 'pids.max'), String(processes + 1));
    },
    async attach(pid) {
      await Promise.all(folders.map((folder) => writeFile(at(folder, 'cgroup.procs'), String(pid))));
    },
    usage: () => ({
      peakMemoryBytes: Number(readFileSync(at(memory, version.files.peak), 'utf8')),
      ranOutOfMemory: numberIn(at(memory, version.files.kills), 'oom_kill') > 0,
    }),
    async remove() {
      for (const folder of folders) {
        // The kernel lets go of the dead a little after they are gone.
        for (let attempt = 0; attempt < 20 && !(await removed(folder)); attempt++) await pause(5 * attempt);
      }
    },
  };
}

/** Groups of processes that were killed before they could tidy up. A group in use can't be removed. */
function removeLeftovers(parents: Parents): void {
  for (const parent of new Set(Object.values(parents))) {
    for (const name of readdirSync(parent)) {
      const folder = join(parent, name);
      if (name.startsWith(PREFIX) && Date.now() - statSync(folder).mtimeMs > 60_000) void removed(folder);
    }
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

/** `4:memory:/user.slice`; the second version names no controller. */
function ownPath(groups: string, controller: string): string {
  for (const line of groups.split('\n')) {
    const [, controllers = '', path = ''] = line.split(':');
    if (path !== '' && controllers.split(',').includes(controller)) return path;
  }
  throw new Error(`no group for the controller "${controller}"`);
}

function numberIn(path: string, key: string): number {
  const value = new RegExp(`^${key} (\\d+)$`, 'm').exec(readFileSync(path, 'utf8'))?.[1];
  return Number(value ?? 0);
}
