import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { archivesOf, chainOf } from './audit-chain.ts';

/** A line of bytes, without its newline; `isClosed` when it has one. */
export type RawLine = { readonly bytes: Buffer; readonly isClosed: boolean };

const NEWLINE = 0x0a;
/** Longer than any line that we write; the rest of such a line is passed over. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** Each time a log was rotated while it was opened. */
const MOST_TRIES = 10;

/** The lines of a file as they stand there. Other line separators of Unicode are text. */
export async function* rawLines(file: FileHandle): AsyncGenerator<RawLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  const line = (): Buffer => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return bytes;
  };
  const add = (piece: Buffer): void => {
    if (length < MAX_LINE_BYTES) pieces.push(piece);
    length += piece.length;
  };
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield { bytes: line(), isClosed: true };
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield { bytes: line(), isClosed: false };
}

export type OpenChain = AsyncDisposable & {
  readonly files: readonly { readonly file: string; readonly opened: FileHandle }[];
};

/** Opens the files of a log, oldest first, as they were at one moment: a rotation meanwhile is waited for. */
export async function openChain(log: string): Promise<OpenChain> {
  for (let tries = 1; ; tries++) {
    const files: { file: string; opened: FileHandle }[] = [];
    for (const file of chainOf(log)) {
      const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfGone);
      if (opened !== null) files.push({ file, opened });
    }
    const close = async (): Promise<void> => {
      for (const { opened } of files) await opened.close();
    };
    const isSame = archivesOf(log).every((archive) => files.some(({ file }) => file === archive));
    if (isSame || tries === MOST_TRIES) return { files, [Symbol.asyncDispose]: close };
    await close();
  }
}

function nullIfGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
