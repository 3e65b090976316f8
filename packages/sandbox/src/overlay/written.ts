import { statfsSync } from 'node:fs';

export type WrittenPaths = {
  /** Of files, folders and their names, in bytes of memory. */
  readonly bytes: number;
  /** Whether no byte or no name is left. */
  readonly isFull: boolean;
};

/** What lies in the upper layer of an overlay, by its own file system. */
export function writtenTo(upper: string): WrittenPaths {
  const { bsize, blocks, bfree, ffree } = statfsSync(upper);
  return { bytes: (blocks - bfree) * bsize, isFull: bfree === 0 || ffree === 0 };
}
