import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
/** With less than this, in bytes, nothing that starts can be expected to end well, the audit log's next lines included. */
const LEAST = 64 * MIB;

/** Whether commands find room on the disk of the workspace; in plain words where not, no full stop. */
export async function lackOfDisk(workspace: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(workspace);
  return lackOf(bavail * bsize, 'on the disk of the workspace');
}

/** Whether commands find memory: what the control group of this process leaves it, where it has one. */
export async function lackOfMemory(): Promise<string | undefined> {
  return lackOf(process.availableMemory(), 'of memory');
}

export function lackOf(bytes: number, of: string): string | undefined {
  return bytes < LEAST ? `only ${Math.floor(bytes / MIB)} MB ${of} are left` : undefined;
}
