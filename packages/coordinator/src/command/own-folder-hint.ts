import { type Effect, type Execution, isWithin } from '@signalbox/core';

/** More of them tell a model nothing new. */
const MAX_NAMED = 3;

/**
 * A hint for a model that relies on `/tmp`: each command finds that folder empty, and files left there are gone.
 * Undefined if it used none, or cleaned up after itself.
 */
export function ownFolderHint(
  effects: readonly Effect[],
  { isolation: { ownFolders = [] }, ended }: Execution,
): string | undefined {
  const pathsOf = (kind: 'read' | 'write' | 'delete'): readonly string[] =>
    effects.flatMap((one) =>
      one.kind === kind && ownFolders.some((folder) => isWithin(one.path, folder)) ? [one.path] : [],
    );
  const [written, deleted] = [pathsOf('write'), pathsOf('delete')];
  const left = written.filter((path) => !deleted.some((other) => isWithin(path, other)));
  if (left.length > 0)
    return `hint: each command has its own ${foldersOf(left)}, empty at first: the files this one left there are gone (${named(left)}). Use them in the same line, or write them into the workspace`;
  const missed = written.length > 0 ? [] : pathsOf('read');
  if (missed.length === 0 || (ended.kind === 'exited' && ended.exitCode === 0)) return undefined;
  return `hint: each command has its own ${foldersOf(missed)}, empty at first: files that an earlier one wrote there are gone (${named(missed)})`;

  function foldersOf(paths: readonly string[]): string {
    return ownFolders.filter((folder) => paths.some((path) => isWithin(path, folder))).join(' and ');
  }
}

function named(paths: readonly string[]): string {
  const names = [...new Set(paths)];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
