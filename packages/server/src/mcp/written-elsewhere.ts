import { posix } from 'node:path';
import type { CommandView } from '@signalbox/api';

/** More created files are a build, which knows its folder. */
const MAX_CREATED = 3;

/** The start folder of the agent's program, relative to the workspace, and a check for folders. */
export type StartedIn = {
  readonly startedIn: string;
  readonly isFolder: (path: string) => Promise<boolean>;
};

/**
 * Adds a note on each created file that an agent in a sub-folder may have meant to create there: paths are relative to
 * the root, and the file's folder also exists below the agent's own.
 */
export async function tellingElsewhere(
  view: CommandView,
  { startedIn, isFolder }: StartedIn,
): Promise<CommandView> {
  const { result } = view;
  if (startedIn === '.' || result === null) return view;
  const created = result.files.filter(({ kind }) => kind === 'created').map(({ path }) => path);
  if (created.length > MAX_CREATED) return view;
  const notes: string[] = [];
  for (const path of created) {
    if (path.startsWith(`${startedIn}/`) || !(await isFolder(posix.join(startedIn, posix.dirname(path)))))
      continue;
    const meant = posix.join(startedIn, path);
    notes.push(`written to ${path} at the root of the workspace, not ${meant}: paths count from the root`);
  }
  return notes.length === 0
    ? view
    : { ...view, result: { ...result, notes: [...(result.notes ?? []), ...notes] } };
}
