import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { settingsAt, settingsIn } from './written-text.ts';

/** Names that make a folder a repository, and that git reads there. */
const PARTS: ReadonlySet<string> = new Set([
  'HEAD',
  'objects',
  'refs',
  'commondir',
  'config',
  'config.worktree',
]);

/** The workspace before and after the changes; paths are relative to it. */
type Workspace = {
  readonly root: string;
  readonly written: ReadonlyMap<string, WriteSetChange>;
  readonly existed: (path: string) => boolean;
  readonly exists: (path: string) => boolean;
};

/**
 * Judges a change outside `.git`, by whether it makes its folder a repository: one with HEAD, objects and refs is one,
 * whatever its name. Adds what it finds to `refused` and `asks`.
 */
export function createPartsJudge(
  { root, written, existed, exists }: Workspace,
  { refused, asks }: Readonly<Record<'refused' | 'asks', Map<string, string>>>,
): (change: WriteSetChange) => void {
  return (change) => {
    if (change.op !== 'put' && change.op !== 'make') return;
    const { path } = change;
    const hook = /^(.*\/)?hooks\/[^/]+$/.exec(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (hook === null && !PARTS.has(name)) return;
    const folder = hook === null ? path.slice(0, path.length - name.length) : (hook[1] ?? '');
    if (!isRepository(folder, exists)) return;
    if (change.op === 'put' && hook !== null) {
      if (!name.endsWith('.sample')) asks.set(path, 'a hook of git runs code');
    } else if (change.op === 'put' && name.startsWith('config')) {
      const keys = settingsIn(change);
      if (keys.length > 0) asks.set(path, newSettings(keys));
    } else if (change.op === 'put' && name === 'commondir') asks.set(path, 'points git to other settings');
    else if (!isRepository(folder, existed)) judgeExisting(change, folder);
  };

  /** A file that existed before and only now belongs to a repository. */
  function judgeExisting({ path, op }: WriteSetChange, folder: string): void {
    const found = ['config', 'config.worktree', 'commondir', 'hooks'].flatMap((name) => {
      const at = `${folder}${name}`;
      return written.get(at)?.op === 'put' || !exists(at) ? [] : existingKeys(name, join(root, at));
    });
    if (found.length === 0) return;
    const why = `makes its folder a repository with settings: ${found.join(', ')}`;
    // Folders need no approval.
    (op === 'put' ? asks : refused).set(path, why);
  }
}

/** Why the settings of a new repository need approval. */
export function newSettings(keys: readonly string[]): string {
  return `settings of a new repository: ${keys.join(', ')}`;
}

function isRepository(folder: string, has: (path: string) => boolean): boolean {
  const all = ['objects', 'refs'].every((name) => has(`${folder}${name}`));
  return has(`${folder}HEAD`) && (all || has(`${folder}commondir`));
}

function existingKeys(name: string, at: string): readonly string[] {
  if (name === 'commondir') return [name];
  if (name === 'hooks') return hooksIn(at).length > 0 ? [name] : [];
  return settingsAt(at);
}

function hooksIn(at: string): readonly string[] {
  try {
    return readdirSync(at).filter((name) => !name.endsWith('.sample'));
  } catch {
    return [];
  }
}
