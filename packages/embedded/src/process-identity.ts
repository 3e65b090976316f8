import { readFile, readlink } from 'node:fs/promises';
import * as z from 'zod';

/**
 * What tells a process from all others, also from a later one with the same pid. A part is null where the
 * system doesn't tell it (all but Linux): then the pid alone has to do.
 */
export const ProcessIdentity = z
  .strictObject({
    host: z.string(),
    pid: z.int().positive(),
    /** Clock ticks between boot and its start (proc_pid_stat(5), field 22). */
    startTicks: z.string().nullable(),
    bootId: z.string().nullable(),
    /** Containers have namespaces of their own, in which the same pid is somebody else. */
    pidNamespace: z.string().nullable(),
  })
  .readonly();
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `unknown`: it runs, or ran, where we can't look. */
export type Liveness = 'alive' | 'dead' | 'unknown';

export async function identityOf(pid: number, host: string): Promise<ProcessIdentity> {
  const [stat, bootId, pidNamespace] = await Promise.all([
    statOf(pid),
    textOrNull(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOrNull(readlink('/proc/self/ns/pid')),
  ]);
  return { host, pid, startTicks: stat?.startTicks ?? null, bootId, pidNamespace };
}

/** Whether that very process still runs, as far as a process on `host` can tell. */
export async function livenessOf(identity: ProcessIdentity, host: string): Promise<Liveness> {
  if (identity.host !== host) return 'unknown';
  const here = await identityOf(identity.pid, host);
  if (differs(identity.bootId, here.bootId)) return 'dead';
  if (differs(identity.pidNamespace, here.pidNamespace)) return 'unknown';
  if (!exists(identity.pid)) return 'dead';
  if (differs(identity.startTicks, here.startTicks)) return 'dead';
  return (await statOf(identity.pid))?.hasEnded === true ? 'dead' : 'alive';
}

function differs(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** `1234 (name) S …`: the name may hold anything, brackets too, so count from its end. */
async function statOf(pid: number): Promise<{ startTicks: string; hasEnded: boolean } | null> {
  const stat = await textOrNull(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined) return null;
  // A zombie has ended, only its parent has not noticed.
  return { startTicks, hasEnded: state === 'Z' || state === 'X' };
}

async function textOrNull(reading: Promise<string>): Promise<string | null> {
  try {
    return (await reading).trim();
  } catch {
    return null;
  }
}
