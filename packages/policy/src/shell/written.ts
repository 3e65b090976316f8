import type { Scene } from './program.ts';

/** Where the content of a file comes from, if an earlier command of this line wrote it or a folder above it. */
export function writtenAt(path: string, { walk }: Scene): 'network' | 'local' | undefined {
  const own = walk.written.get(path);
  if (own !== undefined) return own;
  for (const [folder, source] of walk.written)
    if (folder.endsWith('/') && path.startsWith(folder)) return source;
  return undefined;
}

/** A folder whose files this line brings in from the network. */
export function noteFetchedFolder(path: string, { walk }: Scene): void {
  walk.written.set(path.endsWith('/') ? path : `${path}/`, 'network');
}
