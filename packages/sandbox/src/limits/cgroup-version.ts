import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of one group, or of the groups we are in, by controller; null for a missing controller. */
export type ControllerFolders = {
  readonly memory: string;
  readonly pids: string;
  readonly cpu: string | null;
  readonly cpuacct: string | null;
};

/** Names and units of one cgroup version (Linux `Documentation/admin-guide/cgroup-v1`, `cgroup-v2.rst`). */
export type CgroupVersion = {
  /** @throws when the machine uses another version */
  readonly parents: (groups: string) => ControllerFolders;
  readonly memoryLimit: string;
  readonly memoryPeak: string;
  readonly memoryKills: string;
  /** File and value; null means no limit. In microseconds of CPU time per 100 ms. */
  readonly cpuLimit: string;
  readonly toCpuLimit: (quotaUs: number | null) => string;
  readonly cpuMs: (folders: ControllerFolders) => number | null;
  readonly throttledMs: (folders: ControllerFolders) => number;
};

/** The kernel's own period for processor time, in microseconds. */
export const CPU_PERIOD_US = 100_000;

const VERSION_1: CgroupVersion = {
  parents: (groups) => ({
    memory: join('/sys/fs/cgroup/memory', ownPath(groups, 'memory')),
    pids: join('/sys/fs/cgroup/pids', ownPath(groups, 'pids')),
    cpu: existing(() => join('/sys/fs/cgroup/cpu', ownPath(groups, 'cpu'))),
    cpuacct: existing(() => join('/sys/fs/cgroup/cpuacct', ownPath(groups, 'cpuacct'))),
  }),
  memoryLimit: 'memory.limit_in_bytes',
  memoryPeak: 'memory.max_usage_in_bytes',
  memoryKills: 'memory.oom_control',
  cpuLimit: 'cpu.cfs_quota_us',
  toCpuLimit: (quotaUs) => String(quotaUs ?? -1),
  cpuMs: ({ cpuacct }) =>
    cpuacct === null ? null : Number(readFileSync(join(cpuacct, 'cpuacct.usage'), 'utf8')) / 1e6,
  throttledMs: ({ cpu }) => (cpu === null ? 0 : numberIn(join(cpu, 'cpu.stat'), 'throttled_time') / 1e6),
};

const VERSION_2: CgroupVersion = {
  parents(groups) {
    const folder = join('/sys/fs/cgroup', ownPath(groups, ''));
    return { memory: folder, pids: folder, cpu: folder, cpuacct: folder };
  },
  memoryLimit: 'memory.max',
  memoryPeak: 'memory.peak',
  memoryKills: 'memory.events',
  cpuLimit: 'cpu.max',
  toCpuLimit: (quotaUs) => `${quotaUs ?? 'max'} ${CPU_PERIOD_US}`,
  cpuMs: ({ cpuacct }) =>
    cpuacct === null ? null : numberIn(join(cpuacct, 'cpu.stat'), 'usage_usec') / 1000,
  throttledMs: ({ cpu }) => (cpu === null ? 0 : numberIn(join(cpu, 'cpu.stat'), 'throttled_usec') / 1000),
};

export const CGROUP_VERSIONS: readonly CgroupVersion[] = [VERSION_1, VERSION_2];

/** Reads the number after a key on its own line; 0 if missing. */
export function numberIn(path: string, key: string): number {
  const value = new RegExp(`^${key} (\\d+)$`, 'm').exec(readFileSync(path, 'utf8'))?.[1];
  return Number(value ?? 0);
}

/** Parses `4:memory:/user.slice`. Version 2 names no controller. */
function ownPath(groups: string, controller: string): string {
  for (const line of groups.split('\n')) {
    const [, controllers = '', path = ''] = line.split(':');
    if (path !== '' && controllers.split(',').includes(controller)) return path;
  }
  throw new Error(`no group for the controller "${controller}"`);
}

function existing(find: () => string): string | null {
  try {
    const folder = find();
    return existsSync(folder) ? folder : null;
  } catch {
    return null;
  }
}
