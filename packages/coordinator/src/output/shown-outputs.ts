import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { RedactionStream, Redactor } from '@signalbox/core';

/** Long outputs in a form that may be shown. */
export type ShownOutputs = {
  /**
   * Path of a redacted copy of that file, created when it is first requested.
   *
   * Parts of the file must not be redacted separately: one that begins inside a secret would show its end. Null if the
   * file no longer exists, or no copy could be made: then nothing of it is shown.
   */
  of(file: string): Promise<string | null>;
};

export function createShownOutputs(redactor: Pick<Redactor, 'stream'>): ShownOutputs {
  // Each process makes its own copy: one of an earlier process may contain secrets that only this one knows.
  const made = new Map<string, Promise<string | null>>();
  return {
    async of(file) {
      const copy = await (made.get(file) ?? make(file));
      // The oldest outputs are dropped, and so are their copies.
      return copy === null || existsSync(copy) ? copy : make(file);
    },
  };

  function make(file: string): Promise<string | null> {
    const copy = copyOrNothing(file);
    made.set(file, copy);
    return copy;
  }

  async function copyOrNothing(file: string): Promise<string | null> {
    try {
      return await copyOf(file, redactor);
    } catch {
      // The disk may have space again at the next request.
      made.delete(file);
      return null;
    }
  }
}

async function copyOf(file: string, redactor: Pick<Redactor, 'stream'>): Promise<string> {
  const copy = `${file}.shown`;
  const unfinished = `${copy}.new`;
  // A stream on a missing file would fail before a listener is attached, and end the process.
  const source = await open(file, 'r');
  try {
    await copyRedacted(source, unfinished, redactor.stream());
    await rename(unfinished, copy);
    return copy;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

async function copyRedacted(source: FileHandle, copy: string, stream: RedactionStream): Promise<void> {
  // Readable by the owner only: a secret may match no pattern.
  const target = await open(copy, 'w', 0o600);
  try {
    const texts = source.createReadStream({ encoding: 'utf8', highWaterMark: 1024 * 1024, autoClose: false });
    for await (const text of texts) await target.write(stream.push(String(text)));
    await target.write(stream.end());
  } finally {
    await target.close();
  }
}
