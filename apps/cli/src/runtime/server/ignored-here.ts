import { join } from 'node:path';
import { ignoredByGit } from '@signalbox/sandbox';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Which paths of a workspace on this machine git leaves out. */
export function ignoredHere(workspace: string, path = USUAL_PATH): Promise<(path: string) => boolean> {
  return ignoredByGit({ workspace, path, scratch: join(workspace, '.signalbox/previews') });
}
