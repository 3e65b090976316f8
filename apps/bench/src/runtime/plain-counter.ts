import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A file that holds a number. */
export type Counter = Readonly<{ read(): Promise<number>; write(count: number): Promise<void> }>;

/**
 * A counter without journal and comparison, which would hide a lost update. Reading and writing are synchronous, so
 * that no thread pool is measured; other commands run between the two.
 *
 * @param file Absolute; it exists.
 */
export function plainCounter(file: string): Counter {
  return {
    async read() {
      const count = Number(readFileSync(file, 'utf8'));
      await new Promise<void>((resolve) => setImmediate(resolve));
      return count;
    },
    async write(count) {
      // In place: the number never gets shorter, and truncating first waits for the disk.
      const descriptor = openSync(file, 'r+');
      try {
        writeSync(descriptor, `${count}\n`);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
