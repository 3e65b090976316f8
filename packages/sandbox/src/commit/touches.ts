import { readdir } from 'node:fs/promises';
import type { FileTouch } from '@signalbox/core';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { flatMapInTurns, type Turn } from '../turns.ts';
import type { HostFolders } from './disk/host-folders.ts';
import type { Staged } from './disk/stage.ts';

/** Lists changed files, without directories. Permissions count, times don't. */
export async function touchesOf(
  changes: readonly WriteSetChange[],
  staged: ReadonlyMap<string, Staged>,
  folders: HostFolders,
): Promise<FileTouch[]> {
  return await flatMapInTurns(changes, async (change, turn): Promise<FileTouch[]> => {
    const { path } = change;
    if (change.op === 'remove') {
      // The file that replaces it is listed.
      if (staged.has(path) && change.existing.kind !== 'directory') return [];
      const gone =
        change.existing.kind === 'directory' ? await filesBelow(path, folders.at(path), turn) : [path];
      return gone.map((file): FileTouch => ({ path: file, kind: 'deleted', hash: null }));
    }
    if (change.op === 'put') {
      const kind = change.existing === null ? 'created' : 'modified';
      return [{ path, kind, hash: staged.get(path)?.hash ?? null }];
    }
    if (change.op !== 'attributes' || change.existing.kind === 'directory') return [];
    return change.mode !== change.existing.mode ? [{ path, kind: 'modified', hash: null }] : [];
  });
}

/** Adds apparent sizes, for the approval. */
export function withSizes(
  touches: readonly FileTouch[],
  changes: readonly WriteSetChange[],
): readonly FileTouch[] {
  const sizes = new Map(
    changes.flatMap((change) => (change.op === 'put' ? [[change.path, change.bytes]] : [])),
  );
  return touches.map((touch) => {
    const bytes = sizes.get(touch.path);
    return bytes === undefined ? touch : { ...touch, bytes };
  });
}

async function filesBelow(path: string, at: string, turn: Turn): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(at, { withFileTypes: true })) {
    const below = `${path}/${entry.name}`;
    if (!entry.isDirectory()) files.push(below);
    else for (const file of await filesBelow(below, `${at}/${entry.name}`, turn)) files.push(file);
    await turn();
  }
  return files;
}
