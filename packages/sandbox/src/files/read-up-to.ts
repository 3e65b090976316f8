import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const FIRST_BYTES = 64 * 1024;

/**
 * Reads the whole file, or returns null if it has more than `maxBytes`. It may grow meanwhile, or report a size
 * of 0.
 */
export async function readUpTo(handle: Pick<FileHandle, 'read'>, maxBytes: number): Promise<Buffer | null> {
  const buffer = createBuffer(maxBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer.free());
    if (bytesRead === 0) return buffer.content();
    if (!buffer.take(bytesRead)) return null;
  }
}

/** The same of an open file, at once. @param size As the system says, by which room is made for it. */
export function readUpToSync(file: number, maxBytes: number, size = 0): Buffer | null {
  const room = createRoom(maxBytes, size);
  for (;;) {
    const bytesRead = readSync(file, buffer.free());
    if (bytesRead === 0) return buffer.content();
    if (!buffer.take(bytesRead)) return null;
  }
}

/** Grows as it fills, and holds at most one byte more than it may. */
function createRoom(maxBytes: number, size = 0) {
  // One byte more, with which the end is seen.
  const firstBytes = size > 0 ? size + 1 : FIRST_BYTES;
  let buffer = Buffer.alloc(Math.min(firstBytes, maxBytes + 1));
  let filled = 0;
  return {
    free(): Buffer {
      if (filled === buffer.length)
        buffer = Buffer.concat([buffer], Math.min(2 * buffer.length, maxBytes + 1));
      return buffer.subarray(filled);
    },
    take(bytes: number): boolean {
      filled += bytes;
      return filled <= maxBytes;
    },
    content: (): Buffer => buffer.subarray(0, filled),
  };
}
