import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Tells of every change of a name in a folder, null where the name is not known; answers how to stop. While the
 * folder is not there, what lies above it is watched until it is.
 *
 * @param keepsAlive whether watching keeps the process alive
 */
export function watchFolder(
  folder: string,
  keepsAlive: boolean,
  onChange: (name: string | null) => void,
): () => void {
  const watcher = tryToWatch(folder, keepsAlive, onChange);
  // A folder that goes away is watched no longer; what was read of it stays.
  if (watcher !== undefined) return () => watcher.close();
  const above = dirname(folder);
  if (above === folder) return () => undefined;
  let stop = watchFolder(above, keepsAlive, (name) => {
    if (name !== null && name !== basename(folder)) return;
    const found = tryToWatch(folder, keepsAlive, onChange);
    if (found === undefined) return;
    stop();
    stop = () => found.close();
    // It may have been filled before anybody looked.
    onChange(null);
  });
  return () => stop();
}

function tryToWatch(
  folder: string,
  persistent: boolean,
  onChange: (name: string | null) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent }, (_event, name) => onChange(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
