import { statfs } from 'node:fs/promises';
import type { Clock } from '@signalbox/core';

/** What is left of the machine, in bytes. */
export type Room = Readonly<{ memory: number; disk: number }>;

const MIB = 1024 * 1024;
/** With less than this nothing that starts can be expected to end well, the audit log's next lines included. */
const LEAST: Room = { memory: 64 * MIB, disk: 64 * MIB };
const EVERY_MS = 10_000;

/** In plain words, no full stop; undefined while there is room. */
export function pressureOf(room: Room): string | undefined {
  if (room.disk < LEAST.disk)
    return `only ${Math.floor(room.disk / MIB)} MB are left on the disk of the workspace`;
  if (room.memory < LEAST.memory) return `only ${Math.floor(room.memory / MIB)} MB of memory are left`;
  return undefined;
}

/** What this process may still use: what its control group leaves it, where it has one. */
export async function roomAt(workspace: string): Promise<Room> {
  const { bavail, bsize } = await statfs(workspace);
  return { memory: process.availableMemory(), disk: bavail * bsize };
}

/** Looks at what is left now and then, and tells of pressure (S000-66); answers how to stop. */
export function watchPressure(parts: {
  readonly clock: Pick<Clock, 'timer'>;
  readonly room: () => Promise<Room>;
  readonly onPressure: (reason: string) => void;
}): () => void {
  let isStopped = false;
  let cancelTimer = parts.clock.timer(EVERY_MS, () => void look());

  async function look(): Promise<void> {
    // What can't be looked at says nothing; writing there will.
    const reason = await parts.room().then(pressureOf, () => undefined);
    if (isStopped) return;
    if (reason !== undefined) parts.onPressure(reason);
    cancelTimer = parts.clock.timer(EVERY_MS, () => void look());
  }

  return () => {
    isStopped = true;
    cancelTimer();
  };
}
