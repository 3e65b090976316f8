import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { UsageError } from '@signalbox/core';

/** Of so many different arguments the files are kept: commands of one kind have the same. */
const MOST = 4;

/**
 * Puts arguments into files without a name, a NUL behind each, since a shell reads files faster than pipes. Answers a
 * descriptor, which the caller closes.
 *
 * @throws {UsageError} for a NUL in an argument, which would be two.
 */
export function createArgumentFiles(folder: string): (argv: readonly string[]) => number {
  const files = new Map<string, number>();

  return (argv) => {
    if (argv.some((argument) => argument.includes('\0'))) {
      throw new UsageError('nul-in-arguments', 'Cannot start a program with a NUL in its arguments');
    }
    const text = argv.map((argument) => `${argument}\0`).join('');
    const file = files.get(text) ?? write(text);
    files.delete(text);
    files.set(text, file);
    const [oldest] = files;
    if (files.size > MOST && oldest !== undefined) {
      files.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    return openSync(`/proc/self/fd/${file}`, 'r');
  };

  function write(text: string): number {
    const path = `${folder}/argv-${randomUUID()}`;
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    writeSync(file, text);
    return file;
  }
}
