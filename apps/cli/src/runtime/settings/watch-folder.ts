import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Reports every change of a name in a folder, null if the name is unknown; returns how to stop. While the folder does
 * not exist, its parent is watched.
 *
 * @param keepsAlive whether watching keeps the process alive
 */
export function watchFolder(
  folder: string,
  keepsAlive: boolean,
  onChange: (name: string | null) => void,
): () => void {
  const watcher = tryToWatch(folder, keepsAlive, onChange);
  // A removed folder is no longer watched; what was read from it stays.
  if (watcher !== undefined) return () => watcher.close();
  const above = dirname(folder);
  if (above === folder) return () => undefined;
  let stop = watchFolder(above, keepsAlive, (name) => {
    if (name !== null && name !== basename(folder)) return;
    const found = tryToWatch(folder, keepsAlive, onChange);
    if (found === undefined) return;
    stop();
    stop = () => found.close();
    // It may have been filled before the watch began.
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
