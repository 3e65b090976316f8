import { UnavailableError } from '../../errors/errors.ts';
import type { FileEntry, Files } from '../../ports/files.ts';
import type { Inspector } from '../../ports/inspector.ts';

/** An inspector of files in memory, without git. */
export function createMemoryInspector(files: Pick<Files, 'stat' | 'list'>): Inspector {
  const none = async (): Promise<never> => {
    throw new UnavailableError('no-repository', 'there is no git repository in the workspace');
  };
  return {
    async removal({ path, isMeant = () => true }) {
      const entry = await files.stat(path);
      if (entry === null) return null;
      const isFolder = entry.kind === 'directory';
      const inside: readonly FileEntry[] = isFolder
        ? (await files.list(path, { depth: 64, limit: 20_000 })).entries
        : [entry];
      const meant = inside.filter((one) => one.kind !== 'directory' && (!isFolder || isMeant(one.path)));
      const bytes = meant.reduce((sum, one) => sum + one.bytes, 0);
      const names = meant.map((one) => one.path).slice(0, 20);
      return { path, isFolder, files: meant.length, bytes, names, isCounted: true };
    },
    commit: none,
    push: none,
    obstacle: async () => null,
    knownCommits: none,
    idle: async () => {},
    broughtByGit: none,
  };
}
