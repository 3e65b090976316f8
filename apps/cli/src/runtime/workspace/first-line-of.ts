import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';

/** Linux reads no more of a file to find its interpreter. */
const MAX_BYTES = 256;

/**
 * The first lines of files of a workspace, by absolute path; undefined of what is no file, lies elsewhere or has a longer one.
 *
 * @param workspace absolute
 */
export function createFirstLineOf(workspace: string): (path: string) => string | undefined {
  return (path) => {
    try {
      return readFirstLine(path, `${realpathSync(workspace)}/`);
    } catch {
      return undefined;
    }
  };
}

/** Waits for nobody: a FIFO or a device is no file, and a link may lead anywhere. */
function readFirstLine(path: string, root: string): string | undefined {
  if (!realpathSync(path).startsWith(root)) return undefined;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_BYTES);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const end = text.indexOf('\n');
    return end < 0 ? undefined : text.slice(0, end);
  } finally {
    closeSync(descriptor);
  }
}
