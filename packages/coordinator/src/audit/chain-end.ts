import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { archivesOf, chainOf } from './audit-chain.ts';
import { AuditLine, GENESIS } from './audit-line.ts';
import { readLine } from './read-line.ts';
import { isTornLine } from './torn-line.ts';

const TAIL_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** The bytes after the last complete line. */
export type TornTail = {
  /** The newline that closes it, if missing. */
  readonly newline: string;
  /** All of it, closed, if it looks like the remains of a crash: the next line includes its hash. */
  readonly torn: Buffer | undefined;
};

export type ChainEnd = {
  /** The last lines: those in the last MiB, or in more if one line is longer. */
  readonly lines: readonly AuditLine[];
  /** Hash of the last line; undefined if there is none. */
  readonly hash: string | undefined;
  /** The previous hash in its first line. */
  readonly prev: string | undefined;
  /** Whether one of these lines was changed, or one between them removed. */
  readonly isBroken: boolean;
  /** Whether these are all lines of the log. */
  readonly isWhole: boolean;
  readonly left: TornTail | undefined;
};

/** Reads the end of a log's chain; `fd` is its newest file. */
export function readChainEnd(log: string, fd: number): ChainEnd {
  const end = readTail(fd);
  const before = endOfFiles(archivesOf(log), TAIL_BYTES - fstatSync(fd).size);
  return withStart(joined(before, end));
}

/** The same for a log that this process does not write. */
export function readChainEndOf(log: string): ChainEnd {
  return withStart(endOfFiles(chainOf(log), TAIL_BYTES));
}

/** Reads the newest files until they make up `wanted` bytes and contain a line. */
function endOfFiles(files: readonly string[], wanted: number): ChainEnd {
  let end = EMPTY;
  let missing = wanted;
  for (const file of files.toReversed()) {
    if (missing <= 0 && end.hash !== undefined) return { ...end, isWhole: false };
    const { size, ...tail } = readEndOfFile(file);
    missing -= size;
    end = joined(tail, end);
  }
  return end;
}

/** A log that was read completely begins with the first line. */
function withStart(end: ChainEnd): ChainEnd {
  return { ...end, isBroken: end.isBroken || (end.isWhole && (end.prev ?? GENESIS) !== GENESIS) };
}

const EMPTY: ChainEnd = {
  lines: [],
  hash: undefined,
  prev: undefined,
  isBroken: false,
  isWhole: true,
  left: undefined,
};

/** Joins the end of a file with the end of the next file. */
function joined(before: ChainEnd, after: ChainEnd): ChainEnd {
  const isCut = before.hash !== undefined && after.prev !== undefined && before.hash !== after.prev;
  return {
    lines: [...before.lines, ...after.lines],
    hash: after.hash ?? before.hash,
    prev: before.prev ?? after.prev,
    isBroken: before.isBroken || after.isBroken || (after.isWhole && isCut),
    isWhole: before.isWhole && after.isWhole,
    left: after.left,
  };
}

function readEndOfFile(file: string): ChainEnd & { readonly size: number } {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return { ...readTail(fd), size: fstatSync(fd).size };
  } finally {
    closeSync(fd);
  }
}

function readTail(fd: number): ChainEnd {
  const { size } = fstatSync(fd);
  for (let length = TAIL_BYTES; ; length *= 8) {
    const bytes = readLast(fd, { size, length: Math.min(size, length) });
    const isWhole = size <= length;
    const end = toEnd(isWhole ? bytes : bytes.subarray(bytes.indexOf(NEWLINE) + 1));
    if (end.hash !== undefined || isWhole) return { ...end, isWhole };
  }
}

function toEnd(bytes: Buffer): ChainEnd {
  const lines: AuditLine[] = [];
  let hash: string | undefined;
  let first: string | undefined;
  let isBroken = false;
  let rest = 0;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const read = readLine(bytes.subarray(start, end));
    start = end + 1;
    if (read.kind === 'foreign') isBroken = true;
    if (read.kind === 'foreign' || read.kind === 'torn') continue;
    const { prev } = read.line;
    if (read.kind !== 'whole' || (hash !== undefined && hash !== prev)) isBroken = true;
    first ??= prev;
    ({ hash } = read.line);
    rest = start;
    const line = AuditLine.safeParse(read.line).data;
    if (line !== undefined) lines.push(line);
  }
  return { lines, hash, prev: first, isBroken, isWhole: true, left: leftOf(bytes, rest) };
}

/**
 * @param from Position after the newline of the last complete line; beyond the end if a crash truncated that newline.
 */
function leftOf(bytes: Buffer, from: number): TornTail | undefined {
  if (from > bytes.length) return { newline: '\n', torn: undefined };
  if (from === bytes.length) return undefined;
  const rest = bytes.subarray(from).toString('latin1');
  const newline = rest.endsWith('\n') ? '' : '\n';
  const closed = `${rest}${newline}`;
  const pieces = closed.slice(0, -1).split('\n');
  const isTorn = pieces.every((piece) => isTornLine(Buffer.from(piece, 'latin1')));
  return { newline, torn: isTorn ? Buffer.from(closed, 'latin1') : undefined };
}

function readLast(fd: number, { size, length }: Readonly<{ size: number; length: number }>): Buffer {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(fd, bytes, read, length - read, size - length + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}
