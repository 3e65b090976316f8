import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { codeOf } from '../files/file-failure.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Handles that are kept open. */
const MAX_OPEN = 64;

/** Names in a workspace, reached from handles on its folders: no link on the way is ever followed. */
export type HostFolders = {
  /**
   * Path by which a name is used.
   *
   * @throws What the system says when a folder on its way is missing, or is a link.
   */
  at(path: string): string;
  /** Makes what was changed in every folder so far outlive a power cut. */
  sync(): void;
  /** Number of those folders. */
  used(): number;
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

  return {
    at(path) {
      const { parent, name } = split(path);
      used.add(parent);
      return `/proc/self/fd/${handleOn(parent)}/${name}`;
    },
    sync() {
      for (const folder of used) {
        try {
          syncFolder(`/proc/self/fd/${handleOn(folder)}/.`);
        } catch (cause) {
          // Removed since: the folder above tells it.
          if (!isUnreachable(cause)) throw cause;
        }
      }
    },
    used: () => used.size,
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

export function syncFolder(path: string): void {
  const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { parent: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}
