import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const FIRST_BYTES = 64 * 1024;

/**
 * Reads the whole file, or returns null if it has more than `maxBytes`. It may grow meanwhile, or report a size
 * of 0.
 */
export async function readUpTo(handle: Pick<FileHandle, 'read'>, maxBytes: number): Promise<Buffer | null> {
  const buffer = createGrowingBuffer(maxBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer.free());
    if (bytesRead === 0) return buffer.content();
    if (!buffer.take(bytesRead)) return null;
  }
}

/** The same, synchronously, for an open file. @param size The reported size: that much is allocated first. */
export function readUpToSync(
  file: number,
  maxBytes: number,
  { size = 0 }: Readonly<{ size?: number }> = {},
): Buffer | null {
  const buffer = createGrowingBuffer(maxBytes, size);
  for (;;) {
    const bytesRead = readSync(file, buffer.free());
    if (bytesRead === 0) return buffer.content();
    if (!buffer.take(bytesRead)) return null;
  }
}

/** Grows as it fills, and holds at most one byte more than it may. */
function createGrowingBuffer(maxBytes: number, size = 0) {
  // One byte more shows the end.
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
