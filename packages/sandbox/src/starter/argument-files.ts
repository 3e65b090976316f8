import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { UsageError } from '@signalbox/core';

/** Files kept, by arguments. Commands of one kind have the same. */
const MAX_FILES = 4;

export type ArgumentFiles = {
  /**
   * Returns a descriptor, which the caller closes.
   *
   * @throws {UsageError} for a NUL in an argument, which would split it
   */
  readonly open: (argv: readonly string[]) => number;
  readonly close: () => void;
};

/** Writes arguments to unlinked files, each followed by a NUL, since a shell reads files faster than pipes. */
export function createArgumentFiles(folder: string): ArgumentFiles {
  const files = new Map<string, number>();

  return {
    open(argv) {
      if (argv.some((argument) => argument.includes('\0'))) {
        throw new UsageError('nul-in-arguments', 'Cannot start a program with a NUL in its arguments');
      }
      const text = argv.map((argument) => `${argument}\0`).join('');
      const file = files.get(text) ?? write(text);
      files.delete(text);
      files.set(text, file);
      const [oldest] = files;
      if (files.size > MAX_FILES && oldest !== undefined) {
        files.delete(oldest[0]);
        closeSync(oldest[1]);
      }
      return openSync(`/proc/self/fd/${file}`, 'r');
    },
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };

  function write(text: string): number {
    const path = `${folder}/argv-${randomUUID()}`;
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    writeSync(file, text);
    return file;
  }
}
