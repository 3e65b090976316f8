import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../files/file-failure.ts';
import { MANY, syncFileSystem } from './sync-file-system.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Handles that are kept open. */
const MAX_OPEN = 64;
/** Folders that are waited for at the same time: a file system brings their changes onto the disk together. */
const AT_ONCE = 8;

/** Names in a workspace, reached from handles on its folders: no link on the way is ever followed. */
export type HostFolders = {
  /**
   * Path by which a name is used.
   *
   * @throws What the system says when a folder on its way is missing, or is a link.
   */
  at(path: string): string;
  /** Makes what was changed in every folder so far outlive a power cut. */
  sync(): Promise<void>;
  close(): void;
};

export function openHostFolders(workspace: string): HostFolders {
  const root = openSync(workspace, FOLDER);
  /** By path, the one used last at the end. */
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
      // Removed since: the folder above tells it.
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

/** Whether a folder on the way is missing, or is none. */
export function isUnreachable(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(cause) ?? '');
}

/** Waits for the disk in another thread. */
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
