import { lstat, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  type Access,
  type ChangedFile,
  type Expected,
  type Files,
  StaleWriteError,
  ToolFailure,
  UsageError,
  type Writer,
  type WriteOptions,
} from '@signalbox/core';
import { replaceFile } from './atomic-write.ts';
import { changesOf } from '../commit/undo/changes-of.ts';
import { commitChange } from '../commit/commit-change.ts';
import type { CopyRetention } from '../commit/prune-copies.ts';
import { takeBackCutOff } from '../commit/recover.ts';
import { undo } from '../commit/undo/undo.ts';
import type { CommitWriter } from '../commit/disk/writer.ts';
import { defaultIsDenied, type IsDenied } from '../denials/default-denials.ts';
import { createDeniedPaths } from '../denials/denied-paths.ts';
import { keysOf, linkKeyOf } from '../denials/second-names.ts';
import { codeOf, notAFile, notText, sayingWhy } from './file-failure.ts';
import { listFolder, toEntry } from './list-folder.ts';
import { linksOn, targetNow } from './links-on.ts';
import { createOneByOne } from './one-by-one.ts';
import { missingFolders } from './missing-folders.ts';
import type { ReadView } from '../denials/read-view.ts';
import type { WriteSetChange } from '../overlay/write-set.ts';
import { createReadable } from './readable.ts';
import { type OpenFolder, inFolder } from './safe-walk.ts';
import { stampAt } from './stamp-at.ts';
import { readStamped, newMode, NOTHING, putOf, type SeenFile } from './seen-file.ts';
import { changedTo, readFileOnDisk, type FileOnDisk } from './file-on-disk.ts';
import { createTurns } from '../turns.ts';
import { normalisePath, notAllowed, refuseDenied } from './workspace-path.ts';

export type FilesOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Denied paths. Default {@link defaultIsDenied}. */
  readonly isDenied?: IsDenied;
  /** The only readable paths. Default: all that is not denied. */
  readonly readView?: () => ReadView | null;
  /**
   * The commits folder, on the workspace's file system, where replaced files are kept. Without it nothing is
   * kept and nothing can be undone.
   */
  readonly commits?: string;
  /**
   * This process as one of several that may commit to the workspace. Default: it is the only one while it
   * lives.
   */
  readonly writer?: CommitWriter;
  /** How long replaced files are kept for `undo`. Default: seven days, 2 GiB. */
  readonly copiesKept?: CopyRetention;
};

const MAX_READ_BYTES = 10 * 1024 ** 2;
/** Replaced files are read first, to compare and show them, so larger ones can't be rewritten. */
const MAX_REPLACED_BYTES = 256 * 1024 ** 2;

/** Creates access to the files of a workspace on this machine's disk. Changes of one path run one at a time. */
export function createFiles(options: FilesOptions): Files {
  const { workspace, writer, copiesKept, isDenied = defaultIsDenied, readView = () => null } = options;
  // Folder handles need Linux.
  const commits = process.platform === 'linux' ? options.commits : undefined;
  const oneByOne = createOneByOne();
  const readable = createReadable({ workspace, isDenied, view: readView });
  const deniedPaths = createDeniedPaths(workspace, isDenied);

  function checked(path: string, access: Access): string {
    const normal = normalisePath(path, workspace);
    refuseDenied(normal, access, isDenied);
    return normal;
  }

  function inParent<Answer>(
    path: string,
    use: (folder: OpenFolder, name: string) => Promise<Answer>,
    { makeFolders = false }: Readonly<{ makeFolders?: boolean }> = {},
  ): Promise<Answer> {
    if (path === '.') throw notAFile('use', path);
    return inFolder(workspace, dirname(path), {
      use: (folder) => use(folder, basename(path)),
      options: { makeFolders },
    });
  }

  /** A second name of a denied file is denied too. */
  async function refuseSecondName(path: string, { stats }: FileOnDisk): Promise<void> {
    if (stats.nlink < 2) return;
    const denied = (await deniedPaths()).map((one) => one.path);
    const keys = await keysOf(workspace, denied, createTurns());
    if (keys.has(linkKeyOf(stats)))
      throw notAllowed(path, 'it is a second name of a file that policy denies reading');
  }

  async function readForChange(
    folder: OpenFolder,
    { name, path }: Readonly<{ name: string; path: string }>,
  ): Promise<FileOnDisk | null> {
    const existing = await readFileOnDisk(folder, name, {
      path,
      what: 'write',
      maxBytes: MAX_REPLACED_BYTES,
    });
    if (existing !== null) await refuseSecondName(path, existing);
    return existing;
  }

  async function write(path: string, text: string, { expected, by }: WriteOptions): Promise<ChangedFile> {
    if (commits === undefined || by === undefined) return writeAtOnce(path, text, { expected, by });
    const missing = await missingFolders(workspace, path);
    const seen = missing.length > 0 ? NOTHING : await inParent(path, readSeen(path));
    refuseStale(path, expected, seen.file);
    const changed = changedTo(text, path, seen.file);
    if (changed.kind === 'unchanged') return changed;
    const make = missing.map((folder): WriteSetChange => ({
      op: 'make',
      path: folder,
      mode: newMode(0o777),
    }));
    const put = putOf(path, text, seen);
    if (await commitChange([...make, put], { workspace, commits, writer, by, copiesKept })) return changed;
    throw staleWrite(path, await inParent(path, (folder, name) => readForChange(folder, { name, path })));
  }

  async function writeAtOnce(
    path: string,
    text: string,
    { expected, by }: WriteOptions,
  ): Promise<ChangedFile> {
    return inParent(
      path,
      async (folder, name) => {
        const existing = await readForChange(folder, { name, path });
        refuseStale(path, expected, existing);
        const changed = changedTo(text, path, existing);
        if (changed.kind === 'unchanged') return changed;
        await by?.mayChange();
        await replaceFile(folder, name, { text, existing: existing?.stats ?? null }).catch(
          async (cause: unknown) => {
            if (codeOf(cause) !== 'EEXIST') throw cause;
            throw staleWrite(path, await readForChange(folder, { name, path }));
          },
        );
        return changed;
      },
      { makeFolders: true },
    );
  }

  function readSeen(path: string): (folder: OpenFolder, name: string) => Promise<SeenFile> {
    return (folder, name) =>
      readStamped(folder.at(name), commits, () => readForChange(folder, { name, path }));
  }

  async function remove(
    path: string,
    expected: Parameters<Files['remove']>[1],
    by?: Writer,
  ): Promise<ChangedFile> {
    return inParent(path, async (folder, name) => {
      if (expected === 'directory') {
        await by?.mayChange();
        await rmdir(folder.at(name));
        await folder.sync();
        return { path, kind: 'deleted', hash: null, before: null };
      }
      const { existing, file } = await readSeen(path)(folder, name);
      if (existing === null || file === null)
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      refuseStale(path, expected, file);
      if (commits !== undefined && by !== undefined) {
        const isDone = await commitChange([{ op: 'remove', path, existing }], {
          workspace,
          commits,
          writer,
          by,
          copiesKept,
        });
        if (!isDone) throw staleWrite(path, await readForChange(folder, { name, path }));
      } else {
        await by?.mayChange();
        await unlink(folder.at(name));
        await folder.sync();
      }
      return { path, kind: 'deleted', hash: null, before: file.text };
    });
  }

  return {
    normalise: (path) => normalisePath(path, workspace),

    async readText(path, { maxBytes = MAX_READ_BYTES } = {}) {
      const normal = await readable.file(checked(path, 'read'));
      return sayingWhy('read', normal, () =>
        inParent(normal, async (folder, name) => {
          const existing = await readFileOnDisk(folder, name, { path: normal, what: 'read', maxBytes });
          if (existing === null) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
          await refuseSecondName(normal, existing);
          if (existing.text === null) throw notText(normal);
          return { path: normal, text: existing.text, bytes: existing.bytes.length, hash: existing.hash };
        }),
      );
    },

    async list(path, limits = {}) {
      const normal = readable.folder(checked(path, 'read'));
      const bounds = { isDenied, view: readView() };
      return sayingWhy('list', normal, () => listFolder({ workspace, path: normal, ...bounds, ...limits }));
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

    stampOf: (path) => stampAt(workspace, path),

    targetOf: (path) => targetNow(normalisePath(path, workspace), workspace),
    // Rejects for a path outside, instead of throwing synchronously.
    followLinks: async (path) => linksOn(normalisePath(path, workspace), { workspace, isDenied }),

    async write(path, text, { expected, by }) {
      const normal = checked(path, 'write');
      return oneByOne(normal, () => sayingWhy('write', normal, () => write(normal, text, { expected, by })));
    },

    async remove(path, expected, by) {
      const normal = checked(path, 'write');
      return oneByOne(normal, () => sayingWhy('delete', normal, () => remove(normal, expected, by)));
    },

    async changesOf(commandId) {
      const changes = commits === undefined ? null : await changesOf(workspace, { commits, commandId });
      return changes?.filter(({ path }) => !isDenied(path, 'read')) ?? null;
    },

    async takeBack(commandId) {
      if (commits !== undefined) await takeBackCutOff(commits, { workspace, commandId });
    },

    async undo(undone, { isForced, only }, by) {
      if (commits === undefined || by === undefined) throw nothingKept(undone);
      let refusal: unknown;
      const answer = await undo({
        workspace,
        undone,
        isForced,
        only,
        commandId: by.commandId,
        commits,
        writer,
        signal: new AbortController().signal,
        mayCommit: () =>
          by.mayChange().then(
            () => ({ kind: 'ok' }),
            (cause: unknown) => ((refusal = cause), { kind: 'denied', why: [] }),
          ),
      });
      if (refusal !== undefined) throw refusal;
      return answer;
    },
  };
}

function nothingKept(commandId: string): UsageError {
  return new UsageError('nothing-to-undo', `Cannot undo ${commandId}: no undo copies are kept here`);
}

function refuseStale(path: string, expected: Expected, existing: FileOnDisk | null): void {
  const current = existing === null ? 'absent' : existing.hash;
  if (current !== expected) throw staleWrite(path, existing);
}

function staleWrite(path: string, existing: FileOnDisk | null): StaleWriteError {
  return new StaleWriteError(path, existing === null ? null : { hash: existing.hash, text: existing.text });
}
