import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const MARK = 'made-here.json';
/** A draft stays if its process was killed. */
const MARK_OR_DRAFT = /^made-here\.json(?:\.[0-9a-f-]{36})?$/;

/** What the file system assigned to the folder at its creation: no clone, archive or copy can reproduce it. */
const Mark = z
  .strictObject({
    inode: z.string(),
    /** Nanoseconds since the epoch; `0` if the file system keeps no birth time. */
    born: z.string(),
  })
  .readonly();

/** Whole milliseconds: a file system without nanoseconds or without birth times. */
const COARSE = /^\d*0{6}$|^0$/;

/** Whether this very folder was marked, as opposed to one brought here with a mark inside. */
export function isMarked(folder: string): boolean {
  const { inode, born } = markFor(folder);
  try {
    const mark = Mark.parse(JSON.parse(readFileSync(join(folder, MARK), 'utf8')), { jitless: true });
    // A time that can't be guessed is enough: containers and network file systems may number folders anew with each mount.
    return mark.born === born && (!COARSE.test(born) || mark.inode === inode);
  } catch {
    return false;
  }
}

/** Written before anything else is put into the folder. Every process of ours writes the same text. */
export function putMark(folder: string): void {
  const draft = join(folder, `${MARK}.${process.getBuiltinModule('node:crypto').randomUUID()}`);
  try {
    writeFileSync(draft, `${JSON.stringify(markFor(folder))}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(draft, join(folder, MARK));
  } finally {
    rmSync(draft, { force: true });
  }
}

export function isMarkName(name: string): boolean {
  return MARK_OR_DRAFT.test(name);
}

function markFor(folder: string): z.infer<typeof Mark> {
  const { ino, birthtimeNs } = lstatSync(folder, { bigint: true });
  return { inode: String(ino), born: String(birthtimeNs) };
}
