import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../../files/file-failure.ts';
import { MANY, syncFileSystem } from './sync-file-system.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Upper bound on open handles. */
const MAX_OPEN = 64;
/** Folders synced at the same time; the file system writes their changes together. */
const AT_ONCE = 8;

/** Resolves names in a workspace from handles on its folders, so that no link on the way is followed. */
export type HostFolders = {
  /**
   * A path that refers to the name.
   *
   * @throws the system's error when a folder on the way is missing or is a link
   */
  at(path: string): string;
  /** Makes the changes in every folder so far survive a power cut. */
  sync(): Promise<void>;
  close(): void;
};

export function openHostFolders(workspace: string): HostFolders {
  const root = openSync(workspace, FOLDER);
  /** By path, the most recently used last. */
  const open = new Map<string, number>();
  const used = new Set<string>();

  function handleOn(folder: string): number {
    if (folder === '') return root;
    const known = open.get(folder);
    if (known !== undefined) {
      open.delete(folder);
      open.set(folder, known);
      return known;
    }
    const { parent, name } = split(folder);
    const handle = openSync(`/proc/self/fd/${handleOn(parent)}/${name}`, FOLDER);
    open.set(folder, handle);
    for (const [oldest, old] of open) {
      if (open.size <= MAX_OPEN) break;
      open.delete(oldest);
      closeSync(old);
    }
    return handle;
  }

  async function syncOne(folder: string): Promise<void> {
    try {
      await syncFolder(`/proc/self/fd/${handleOn(folder)}/.`);
    } catch (cause) {
      // Removed since; syncing the folder above covers it.
      if (!isUnreachable(cause)) throw cause;
    }
  }

  return {
    at(path) {
      const { parent, name } = split(path);
      used.add(parent);
      return `/proc/self/fd/${handleOn(parent)}/${name}`;
    },
    async sync() {
      if (used.size > MANY && (await syncFileSystem(workspace))) return;
      const waiting = used.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const folder of waiting) await syncOne(folder);
        }),
      );
    },
    close() {
      for (const handle of open.values()) closeSync(handle);
      closeSync(root);
    },
  };
}

/** Whether a folder on the way is missing or isn't a folder. */
export function isUnreachable(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(cause) ?? '');
}

/** Syncs in another thread. */
async function syncFolder(path: string): Promise<void> {
  const handle = openSync(path, FOLDER_TO_SYNC);
  try {
    await untilOnDisk(handle);
  } finally {
    closeSync(handle);
  }
}

export function syncFolderNow(path: string): void {
  const handle = openSync(path, FOLDER_TO_SYNC);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const FOLDER_TO_SYNC = constants.O_RDONLY | constants.O_DIRECTORY;
const untilOnDisk = promisify(fsync);

function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}
