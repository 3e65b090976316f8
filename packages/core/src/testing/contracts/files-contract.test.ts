import { filesContract } from './files-contract.ts';
import { createMemoryFiles } from '../memory/memory-files.ts';

filesContract('in memory', async ({ files, links, isDenied }) => ({
  files: createMemoryFiles({
    files,
    symlinks: links,
    isDenied: (path) => isDenied(path, 'read'),
  }),
  close: async () => undefined,
}));
