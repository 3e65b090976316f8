import { join } from 'node:path';
import { committedInGit, ignoredByGit } from '@signalbox/sandbox';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Which paths of a workspace on this machine git leaves out. */
export function ignoredHere(workspace: string, path?: string): Promise<(path: string) => boolean> {
  return ignoredByGit(repositoryAt(workspace, path));
}

/** Until when the changes of each path are in its HEAD, epoch ms. */
export function committedHere(
  changes: Parameters<typeof committedInGit>[0],
  workspace: string,
  path?: string,
): Promise<ReadonlyMap<string, number>> {
  return committedInGit(changes, repositoryAt(workspace, path));
}

function repositoryAt(workspace: string, path = USUAL_PATH) {
  return { workspace, path, scratch: join(workspace, '.signalbox/previews') };
}
