import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitTextAt } from './git-lines.ts';

const HEAD = /^(?:ref: refs\/(?!\S*\.\.)[^\s~^:?*[\\]+|[0-9a-f]{40}(?:[0-9a-f]{24})?)\n?$/;

/**
 * For commands on the workspace itself, which nothing keeps from writing into `.git`: takes back what makes git read its
 * settings elsewhere. A repository at the workspace has no `commondir` of its own; one without a valid HEAD is none, and
 * the folder around it may become one.
 *
 * @returns to be called when the command is dead; a line for each thing that was taken back.
 */
export function watchRepository(workspace: string): () => readonly string[] {
  const [head, commondir] = ['HEAD', 'commondir'].map((name) => join(workspace, '.git', name)) as [
    string,
    string,
  ];
  const before = gitTextAt(head);
  const had = stands(commondir);
  if (before === null || !HEAD.test(before)) return () => [];

  return () => {
    const lines: string[] = [];
    if (!had && stands(commondir)) {
      rmSync(commondir, { recursive: true, force: true });
      lines.push('commondir taken back: it leads git to settings elsewhere');
    }
    if (!HEAD.test(gitTextAt(head) ?? '')) {
      rmSync(head, { recursive: true, force: true });
      writeFileSync(head, before, { flag: 'wx' });
      lines.push('HEAD put back: it named no branch and no commit');
    }
    return lines;
  };
}

function stands(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
