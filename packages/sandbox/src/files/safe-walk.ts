import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './file-failure.ts';
import { notAllowed } from './workspace-path.ts';

/** `O_PATH` of `include/uapi/asm-generic/fcntl.h`: a directory handle that needs no read permission. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A folder reached without following a link. */
export type OpenFolder = {
  /** A path that opens a name in this folder, even if the folder is renamed. */
  at(name: string): string;
  /** Makes renames in it survive a power cut. */
  sync(): Promise<void>;
};

type WalkOptions = {
  /** Whether to create missing folders. Default false. */
  readonly makeFolders?: boolean;
};

/**
 * Opens a folder of the workspace for `use`, segment by segment, without following links.
 *
 * On Linux each step starts from a handle on the previous folder, so a folder replaced by a link meanwhile is
 * detected. Elsewhere the real path is compared, which leaves that race open.
 *
 * @param path Normalised; `.` is the workspace.
 * @throws {ToolFailure} `path_not_allowed` at a link
 * @throws the system's error, such as `ENOENT` or `ENOTDIR`
 */
export async function inFolder<Answer>(
  workspace: string,
  path: string,
  { use, options = {} }: Readonly<{ use: (folder: OpenFolder) => Promise<Answer>; options?: WalkOptions }>,
): Promise<Answer> {
  const segments = path === '.' ? [] : path.split('/');
  if (process.platform !== 'linux') return use(await byRealPath(workspace, segments, options));
  let handle = await open(workspace, FOLDER);
  try {
    for (const [index, segment] of segments.entries()) {
      const next = await step(handle, segment, { path: segments.slice(0, index + 1).join('/'), options });
      await handle.close();
      handle = next;
    }
    return await use(toFolder(handle));
  } finally {
    await handle.close();
  }
}

function toFolder(handle: FileHandle): OpenFolder {
  const at = (name: string): string => `/proc/self/fd/${handle.fd}/${name}`;
  return { at, sync: () => syncFolder(at('.')) };
}

async function step(
  from: FileHandle,
  segment: string,
  { path, options }: Readonly<{ path: string; options: WalkOptions }>,
): Promise<FileHandle> {
  const name = `/proc/self/fd/${from.fd}/${segment}`;
  try {
    return await open(name, FOLDER);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' && options.makeFolders === true) {
      await mkdir(name).catch(unlessExists);
      return open(name, FOLDER);
    }
    if (code === 'ENOTDIR' || code === 'ELOOP') await refuseLink(name, path);
    throw cause;
  }
}

/** @throws {ToolFailure} `path_not_allowed` if the name is a link */
export async function refuseLink(name: string, path: string): Promise<void> {
  const target = await readlink(name).catch(() => null);
  if (target !== null) throw notAllowed(path, `it is a symbolic link to "${target}"; name the file itself`);
}

async function byRealPath(
  workspace: string,
  segments: readonly string[],
  options: WalkOptions,
): Promise<OpenFolder> {
  let folder = workspace;
  for (const [index, segment] of segments.entries()) {
    const next = join(folder, segment);
    await refuseLink(next, segments.slice(0, index + 1).join('/'));
    if (options.makeFolders === true) await mkdir(next).catch(unlessExists);
    if (!(await lstat(next)).isDirectory())
      throw Object.assign(new Error(`not a folder`), { code: 'ENOTDIR' });
    folder = next;
  }
  const real = await realpath(folder);
  if (real !== folder) throw notAllowed(segments.join('/'), 'a folder on its path is a symbolic link');
  return { at: (name) => join(real, name), sync: () => syncFolder(real) };
}

function unlessExists(cause: unknown): void {
  if (codeOf(cause) !== 'EEXIST') throw cause;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
