import { posix } from 'node:path';
import type { CommandView } from '@signalbox/api';

/** More are a build, which knows where it stands. */
const MAX_CREATED = 3;

/** Where its program was started, relative to the workspace, and what is a folder there. */
export type StartedIn = {
  readonly startedIn: string;
  readonly isFolder: (path: string) => Promise<boolean>;
};

/**
 * The same with a note on each file that it made and that an agent in a sub-folder may have meant to make there: paths
 * count from the root, and the folder of this one stands below its own as well.
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
