import { statfsSync } from 'node:fs';

export type WrittenPaths = {
  /** Memory used by files, folders and their names, in bytes. */
  readonly bytes: number;
  /** Whether no bytes or no names are left. */
  readonly isFull: boolean;
};

/** Usage of an overlay's upper layer, from its own file system. */
export function writtenTo(upper: string): WrittenPaths {
  const { bsize, blocks, bfree, ffree } = statfsSync(upper);
  return { bytes: (blocks - bfree) * bsize, isFull: bfree === 0 || ffree === 0 };
}
