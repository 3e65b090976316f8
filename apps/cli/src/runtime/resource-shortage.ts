import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
/** Below this many bytes nothing that starts can be expected to end well, including the next lines of the audit log. */
const LEAST = 64 * MIB;

/**
 * Why the workspace's disk has too little space for commands, in plain words without a full stop; undefined if it has
 * enough.
 */
export async function lackOfDisk(workspace: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(workspace);
  return lackOf(bavail * bsize, 'on the disk of the workspace');
}

/** The same for memory: what the control group of this process, if any, leaves free. */
export async function lackOfMemory(): Promise<string | undefined> {
  return lackOf(process.availableMemory(), 'of memory');
}

export function lackOf(bytes: number, of: string): string | undefined {
  return bytes < LEAST ? `only ${Math.floor(bytes / MIB)} MiB ${of} left` : undefined;
}
