import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesContract } from '@signalbox/core/testing';
import { createFiles } from './files.ts';

filesContract('a folder on disk', async ({ files, links, isDenied }) => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(workspace, dirname(path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(workspace, dirname(path)), { recursive: true });
    symlinkSync(target, join(workspace, path));
  }
  return {
    files: createFiles({ workspace, isDenied }),
    close: async () => rmSync(workspace, { recursive: true, force: true }),
  };
});
