import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { archivesOf, chainOf } from './audit-chain.ts';

/** The bytes of a line without its newline; `isClosed` if it has one. */
export type RawLine = { readonly bytes: Buffer; readonly isClosed: boolean };

const NEWLINE = 0x0a;
/** Longer than any line we write; the rest of such a line is skipped. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** Retries when the log was rotated while it was being opened. */
const MAX_ATTEMPTS = 10;

/** The raw lines of a file, split at newlines only. Other Unicode line separators are text. */
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

/** Opens the files of a log, oldest first, consistently: a rotation in between causes a retry. */
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
    if (isSame || tries === MAX_ATTEMPTS) return { files, [Symbol.asyncDispose]: close };
    await close();
  }
}

function nullIfGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
