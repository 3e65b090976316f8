import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A file that holds a number. */
export type Counter = Readonly<{ read(): Promise<number>; write(count: number): Promise<void> }>;

/**
 * A counter that is read and written as a careless program does: no journal, no comparison, nothing that would hide a
 * lost update. Each of the two happens at once, so that what is measured is not how soon a thread gets its turn;
 * between them others have theirs.
 *
 * @param file Absolute; it stands there.
 */
export function plainCounter(file: string): Counter {
  return {
    async read() {
      const count = Number(readFileSync(file, 'utf8'));
      await new Promise<void>((resolve) => setImmediate(resolve));
      return count;
    },
    async write(count) {
      // In place: a number never gets shorter, and a file that is cut to nothing first waits for the disk.
      const descriptor = openSync(file, 'r+');
      try {
        writeSync(descriptor, `${count}\n`);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
