import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { type HostsOfSource, isProjectFile, projectHosts, type ProjectHosts } from '@signalbox/policy';

/** Folders in which nobody writes project settings, or too many others do. */
const SKIPPED =
  /^(?:node_modules|vendor|target|dist|build|deps|_build|venv|coverage|\.(?!cargo$|bundle$|mvn$).*)$/;
const MAX_DEPTH = 3;
const MAX_FOLDERS = 400;
const MAX_FILES = 300;
const MAX_FILE_BYTES = 8 * 1024 ** 2;
const MAX_BYTES = 64 * 1024 ** 2;

type Read = Readonly<{ stamp: string; text: string }>;

/**
 * Hosts that the files of a project download from, as of now. Only changed files are read again. Unreadable or
 * unusually large files are ignored.
 *
 * @param workspace absolute
 */
export function createProjectHosts(workspace: string): () => ProjectHosts {
  const known = new Map<string, Read>();

  function textOf(path: string): string | null {
    const read = readBounded(join(workspace, path), known.get(path));
    if (read === null) known.delete(path);
    else known.set(path, read);
    return read?.text ?? null;
  }

  return () => {
    const files: { path: string; text: string }[] = [];
    let left = MAX_BYTES;
    for (const path of pathsIn(workspace)) {
      const text = textOf(path);
      if (text === null || text.length > left) continue;
      left -= text.length;
      files.push({ path, text });
    }
    return projectHosts(files);
  };
}

/** The same in the form that judging uses. */
export function createHostsOfSource(workspace: string): HostsOfSource {
  const hosts = createProjectHosts(workspace);
  return (source) =>
    hosts()
      .of(source)
      .map(({ host }) => host);
}

function pathsIn(workspace: string): readonly string[] {
  const found = ['.git/config'];
  let folders: readonly string[] = [''];
  let seen = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const below: string[] = [];
    for (const folder of folders) {
      seen += 1;
      if (seen > MAX_FOLDERS) return found;
      for (const entry of entriesOf(join(workspace, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && !SKIPPED.test(entry.name)) below.push(path);
        if (entry.isFile() && isProjectFile(path) && found.length < MAX_FILES) found.push(path);
      }
    }
    folders = below;
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Never blocks: a FIFO or a device is not a file, and a link may lead anywhere. */
function readBounded(path: string, before: Read | undefined): Read | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return null;
    const stamp = stampOf(stats);
    return before?.stamp === stamp ? before : { stamp, text: readFileSync(descriptor, 'utf8') };
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(' ');
}
