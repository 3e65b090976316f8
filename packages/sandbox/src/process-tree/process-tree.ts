import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux we support, whatever the kernel's own rate. */
const TICKS_PER_SECOND = 100;

export type TreeSample = {
  readonly processes: number;
  /** CPU time of all live processes and of the dead they have waited for. */
  readonly cpuMs: number;
  /** Anonymous and shared memory. Pages that forked processes still share are counted for each. */
  readonly memoryBytes: number;
};

/** The pids of a process and its descendants, from `/proc`. Processes that vanish meanwhile are omitted. */
export function treeOf(root: number): number[] {
  const found = [root];
  for (let index = 0; index < found.length && index < MAX_PROCESSES; index++) {
    found.push(...childrenOf(found[index] ?? root));
  }
  return found;
}

/** Limits the work for a fork bomb. */
const MAX_PROCESSES = 4096;

function childrenOf(pid: number): number[] {
  const threads = list(`/proc/${pid}/task`);
  return threads.flatMap((thread) => toNumbers(read(`/proc/${pid}/task/${thread}/children`)));
}

/** Measures what a tree uses now. */
export function sampleTree(root: number): TreeSample {
  const pids = treeOf(root);
  let cpuTicks = 0;
  let memoryBytes = 0;
  for (const pid of pids) {
    cpuTicks += cpuTicksOf(pid);
    memoryBytes += anonymousBytesOf(pid);
  }
  return { processes: pids.length, cpuMs: (cpuTicks * 1000) / TICKS_PER_SECOND, memoryBytes };
}

/**
 * Bytes a tree has written to disks: by all live processes and by the dead they have waited for. Files in
 * memory don't count; files that were deleted again do.
 */
export function sampleWritten(root: number): number {
  return treeOf(root).reduce((sum, pid) => {
    return sum + Number(/^write_bytes: (\d+)$/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0);
  }, 0);
}

/** Memory of a tree with every shared page counted once. Slower. */
export function sampleProportionalMemory(root: number): number {
  return treeOf(root).reduce((sum, pid) => {
    const text = read(`/proc/${pid}/smaps_rollup`);
    const anonymous = kibOf(text, 'Pss_Anon') ?? 0;
    return sum + (anonymous + (kibOf(text, 'Pss_Shmem') ?? 0)) * 1024;
  }, 0);
}

/** Whether a process is alive. A zombie is not. */
export function isAlive(pid: number): boolean {
  const state = statFields(pid)[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/**
 * Whether no thread of a process runs user code until it is resumed: it is stopped, dead, or in a system call
 * after which it stops.
 */
export function isStopped(pid: number): boolean {
  return list(`/proc/${pid}/task`).every((thread) => {
    const state = fieldsIn(read(`/proc/${pid}/task/${thread}/stat`))[0];
    return state === undefined || 'TtZXD'.includes(state);
  });
}

/**
 * Context switches of each thread of a tree. If all are {@link isStopped stopped}, equal numbers prove that
 * none has run in between.
 */
export function switchesOf(root: number): ReadonlyMap<number, string> {
  const threads = treeOf(root).flatMap((pid) =>
    list(`/proc/${pid}/task`).map((name) => [pid, name] as const),
  );
  return new Map(
    threads.map(([pid, name]) => {
      const status = read(`/proc/${pid}/task/${name}/status`);
      return [Number(name), (status.match(/ctxt_switches:\s+\d+/g) ?? []).join(' ')];
    }),
  );
}

/**
 * When a process started, in ticks since boot. Together with the pid it identifies one process. Null if there
 * is none.
 */
export function startedAt(pid: number): string | null {
  return statFields(pid)[19] ?? null;
}

/** Whether a process is alive in a pid namespace other than ours. Guards against a reused pid. */
export function isAliveApart(pid: number): boolean {
  return isAlive(pid) && pidNamespaceOf(pid) !== pidNamespaceOf('self');
}

function pidNamespaceOf(pid: number | 'self'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}

/** Every process with the command's id in its environment. Finds processes that left their group. */
export function processesOfCommand(commandId: string): number[] {
  const mark = `\0SIGNALBOX_COMMAND=${commandId}\0`;
  return list('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    return `\0${read(`/proc/${name}/environ`)}`.includes(mark) && isAlive(Number(name)) ? [Number(name)] : [];
  });
}

/** User and system time of a process and of children it has waited for (proc(5): utime, stime, cutime, cstime). */
function cpuTicksOf(pid: number): number {
  return statFields(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
}

/** The fields of `/proc/PID/stat` from the state on. The name before it may contain blanks and parentheses. */
function statFields(pid: number): string[] {
  return fieldsIn(read(`/proc/${pid}/stat`));
}

function fieldsIn(text: string): string[] {
  const end = text.lastIndexOf(')');
  return end < 0 ? [] : text.slice(end + 2).split(' ');
}

function anonymousBytesOf(pid: number): number {
  const text = read(`/proc/${pid}/status`);
  return ((kibOf(text, 'RssAnon') ?? 0) + (kibOf(text, 'RssShmem') ?? 0)) * 1024;
}

function kibOf(text: string, name: string): number | null {
  const value = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

function toNumbers(text: string): number[] {
  return text.split(' ').flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
