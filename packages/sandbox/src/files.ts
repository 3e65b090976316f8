import { lstat, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Access,
  type Changed,
  type Expected,
  type Files,
  StaleWriteError,
  ToolFailure,
} from '@signalbox/core';
import { replaceFile } from './atomic-write.ts';
import { defaultIsDenied, type IsDenied } from './default-denials.ts';
import { createDeniedPaths } from './denied-paths.ts';
import { codeOf, notAFile, sayingWhy } from './file-failure.ts';
import { listFolder, toEntry } from './list-folder.ts';
import { createOneByOne } from './one-by-one.ts';
import { type Folder, inFolder } from './safe-walk.ts';
import { hashOf, readStanding, type StandingFile } from './standing-file.ts';
import { normalisePath, notAllowed, refuseDenied } from './workspace-path.ts';

export type FilesOptions = {
  /** Absolute and real. */
  readonly workspace: string;
  /** What must not be read or written. Default {@link defaultIsDenied}. */
  readonly isDenied?: IsDenied;
};

const MAX_READ_BYTES = 10 * 1024 ** 2;
/** What is replaced is read first, to compare and to show it: larger files are not rewritten whole. */
const MAX_REPLACED_BYTES = 256 * 1024 ** 2;

/** The files of a workspace on this machine's disk. Changes of one path are made one by one. */
export function createFiles(options: FilesOptions): Files {
  const { workspace, isDenied = defaultIsDenied } = options;
  const oneByOne = createOneByOne();
  const deniedPaths = createDeniedPaths(workspace, isDenied);

  function checked(path: string, access: Access): string {
    const normal = normalisePath(path, workspace);
    refuseDenied(normal, access, isDenied);
    return normal;
  }

  function inParent<Answer>(
    path: string,
    use: (folder: Folder, name: string) => Promise<Answer>,
    makeFolders = false,
  ): Promise<Answer> {
    if (path === '.') throw notAFile('use', path);
    return inFolder(workspace, dirname(path), (folder) => use(folder, basename(path)), { makeFolders });
  }

  /** A second name of a denied file is as denied as its first. */
  async function refuseSecondName(path: string, { stats }: StandingFile): Promise<void> {
    if (stats.nlink < 2) return;
    for (const denied of deniedPaths()) {
      const other = await lstat(join(workspace, denied.path)).catch(() => null);
      if (other !== null && other.ino === stats.ino && other.dev === stats.dev) {
        throw notAllowed(path, 'it is a second name of a file that policy forbids to read');
      }
    }
  }

  async function readForChange(folder: Folder, name: string, path: string): Promise<StandingFile | null> {
    const standing = await readStanding(folder, name, { path, what: 'write', maxBytes: MAX_REPLACED_BYTES });
    if (standing !== null) await refuseSecondName(path, standing);
    return standing;
  }

  async function write(path: string, text: string, expected: Expected): Promise<Changed> {
    return inParent(
      path,
      async (folder, name) => {
        const standing = await readForChange(folder, name, path);
        refuseStale(path, standing, expected);
        const hash = hashOf(text);
        const before = standing?.text ?? null;
        if (standing?.hash === hash) return { path, kind: 'unchanged', hash, before };
        await replaceFile(folder, name, { text, standing: standing?.stats ?? null }).catch(
          async (cause: unknown) => {
            if (codeOf(cause) !== 'EEXIST') throw cause;
            throw staleWrite(path, await readForChange(folder, name, path));
          },
        );
        return { path, kind: standing === null ? 'created' : 'modified', hash, before };
      },
      true,
    );
  }

  async function remove(path: string, expected: Parameters<Files['remove']>[1]): Promise<Changed> {
    return inParent(path, async (folder, name) => {
      if (expected === 'directory') {
        await rmdir(folder.at(name));
        await folder.sync();
        return { path, kind: 'deleted', hash: null, before: null };
      }
      const standing = await readForChange(folder, name, path);
      if (standing === null) throw Object.assign(new Error('nothing stands there'), { code: 'ENOENT' });
      refuseStale(path, standing, expected);
      await unlink(folder.at(name));
      await folder.sync();
      return { path, kind: 'deleted', hash: null, before: standing.text };
    });
  }

  return {
    normalise: (path) => normalisePath(path, workspace),

    async readText(path, { maxBytes = MAX_READ_BYTES } = {}) {
      const normal = checked(path, 'read');
      return sayingWhy('read', normal, () =>
        inParent(normal, async (folder, name) => {
          const standing = await readStanding(folder, name, { path: normal, what: 'read', maxBytes });
          if (standing === null) throw Object.assign(new Error('nothing stands there'), { code: 'ENOENT' });
          await refuseSecondName(normal, standing);
          if (standing.text === null) throw notText(normal);
          return { path: normal, text: standing.text, bytes: standing.bytes.length, hash: standing.hash };
        }),
      );
    },

    async list(path, limits = {}) {
      const normal = checked(path, 'read');
      return sayingWhy('list', normal, () => listFolder({ workspace, path: normal, isDenied, ...limits }));
    },

    async stat(path) {
      const normal = checked(path, 'read');
      if (normal === '.') return toEntry('.', await lstat(workspace));
      try {
        return await sayingWhy('look at', normal, () =>
          inParent(normal, async (folder, name) => toEntry(normal, await lstat(folder.at(name)))),
        );
      } catch (cause) {
        if (cause instanceof ToolFailure && cause.code === 'not-found') return null;
        throw cause;
      }
    },

    async write(path, text, expected) {
      const normal = checked(path, 'write');
      return oneByOne(normal, () => sayingWhy('write', normal, () => write(normal, text, expected)));
    },

    async remove(path, expected) {
      const normal = checked(path, 'write');
      return oneByOne(normal, () => sayingWhy('delete', normal, () => remove(normal, expected)));
    },
  };
}

function refuseStale(path: string, standing: StandingFile | null, expected: Expected): void {
  const stands = standing === null ? 'absent' : standing.hash;
  if (stands !== expected) throw staleWrite(path, standing);
}

function staleWrite(path: string, standing: StandingFile | null): StaleWriteError {
  return new StaleWriteError(path, standing === null ? null : { hash: standing.hash, text: standing.text });
}

function notText(path: string): ToolFailure {
  return new ToolFailure({
    code: 'not-text',
    category: 'PermanentFailure',
    message: `Cannot read "${path}": it is no UTF-8 text`,
  });
}
