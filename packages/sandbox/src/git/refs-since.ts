import { join } from 'node:path';
import { readRefs } from '../inspect/read-refs.ts';
import { refLine } from './git-lines.ts';

/**
 * Returns a function that lists changes to refs and HEAD since this call, one per line, by anyone. For a
 * repository at the workspace itself.
 */
export async function lookAtRefs(workspace: string): Promise<() => Promise<readonly string[]>> {
  const before = await refsNow(workspace);
  return async () => {
    const after = await refsNow(workspace);
    return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
      const [from, to] = [before.get(name) ?? null, after.get(name) ?? null];
      return from === to ? [] : [refLine(name, from, to)];
    });
  };
}

async function refsNow(workspace: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(workspace, '.git');
  const refs = await readRefs(folder, folder);
  const { branch, commit } = refs.head;
  const head = branch === null ? commit : `refs/heads/${branch}`;
  return new Map([...(head === null ? [] : [['HEAD', head] as const]), ...(await refs.below('refs/'))]);
}
