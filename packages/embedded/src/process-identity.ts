import { readFile, readlink } from 'node:fs/promises';
import * as z from 'zod';

/**
 * Distinguishes a process from all others, including a later one with the same pid. A part is null where the system
 * doesn't provide it (everywhere but Linux): then only the pid is compared.
 */
export const ProcessIdentity = z
  .strictObject({
    host: z.string(),
    pid: z.int().positive(),
    /** Clock ticks from boot to the process's start (proc_pid_stat(5), field 22). */
    startTicks: z.string().nullable(),
    bootId: z.string().nullable(),
    /** In a container's own namespace, the same pid is a different process. */
    pidNamespace: z.string().nullable(),
  })
  .readonly();
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** `unknown`: the process runs, or ran, where this one can't see it. */
export type Liveness = 'alive' | 'dead' | 'unknown';

export async function identityOf(pid: number, host: string): Promise<ProcessIdentity> {
  const [stat, bootId, pidNamespace] = await Promise.all([
    statOf(pid),
    textOrNull(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOrNull(readlink('/proc/self/ns/pid')),
  ]);
  return { host, pid, startTicks: stat?.startTicks ?? null, bootId, pidNamespace };
}

/** Whether exactly that process still runs, as far as a process on `host` can tell. */
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
    // EPERM: the process exists and belongs to another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/**
 * Format: `1234 (name) S …`. The name may contain anything, brackets included, so fields are counted after the last
 * bracket.
 */
async function statOf(pid: number): Promise<{ startTicks: string; hasEnded: boolean } | null> {
  const stat = await textOrNull(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined) return null;
  // A zombie has ended; its parent has not reaped it yet.
  return { startTicks, hasEnded: state === 'Z' || state === 'X' };
}

async function textOrNull(reading: Promise<string>): Promise<string | null> {
  try {
    return (await reading).trim();
  } catch {
    return null;
  }
}
