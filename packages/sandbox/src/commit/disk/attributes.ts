import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteSetChange } from '../../overlay/write-set.ts';
import { createAttributeCopier } from './attribute-copier.ts';
import { stagedOf } from './swap.ts';

type Put = Extract<WriteSetChange, { op: 'put' }>;

/** Files per call. */
const AT_ONCE = 500;

const copier = createAttributeCopier();

/**
 * Creates the staged files that will replace others, empty, with their extended attributes and access lists.
 * Node.js can't read these, so a program does. Write the content afterwards: the kernel then drops file
 * capabilities of the old content.
 *
 * If it fails, no files are created and the attributes are lost.
 *
 * @param workspace Absolute; it holds the files that will be replaced.
 * @param carried By their index, those that {@link replacesFile}.
 */
export async function carryAttributes(
  folder: string,
  workspace: string,
  { carried }: Readonly<{ carried: readonly (readonly [index: number, put: Put])[] }>,
): Promise<void> {
  const [first] = carried;
  if (first === undefined) return;
  if (carried.length === 1) {
    const [index, { path }] = first;
    await copier.copyOne([workspace, path], stagedOf(folder, index));
    return makeWritable(stagedOf(folder, index));
  }
  const names = join(folder, 'attributes');
  mkdirSync(names, { mode: 0o700 });
  try {
    // Each is named by its index, so that one call creates all of them.
    for (const [index, { path }] of carried) symlinkSync(join(workspace, path), join(names, String(index)));
    for (let at = 0; at < carried.length; at += AT_ONCE) {
      const part = carried.slice(at, at + AT_ONCE).map(([index]) => index);
      await copier.copy(part.map(String), { from: names, to: join(folder, 'stage') });
      for (const index of part) makeWritable(stagedOf(folder, index));
    }
  } finally {
    rmSync(names, { recursive: true, force: true });
  }
}

/** Whether it replaces a file that may have attributes. Git's own files have none, and there are many. */
export function replacesFile({ kind, path, existing }: Put): boolean {
  return kind === 'file' && existing?.kind === 'file' && !path.split('/').includes('.git');
}

function makeWritable(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // Not created.
  }
}
