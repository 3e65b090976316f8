import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';

/** Linux reads no more of a file to find its interpreter. */
const MAX_BYTES = 256;

/**
 * First lines of files of a workspace, by absolute path; undefined if it is not a file, is outside, or has a longer
 * first line.
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

/** Never blocks: a FIFO or a device is not a file, and a link may lead anywhere. */
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
