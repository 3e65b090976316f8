import { createHash } from 'node:crypto';
import { entriesOfIndex, type IndexEntry } from './index-entries.ts';

/** The two bits of an entry that make git leave its file alone. */
type Marks = { readonly assumeValid: boolean; readonly skipWorktree: boolean };

/** An index with marks, and the previous marks by path. */
export type MarkedIndex = { readonly index: Buffer; readonly before: ReadonlyMap<string, Marks> };

const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
/** In the second word of flags. */
const SKIP_WORKTREE = 0x4000;
/** Extensions with offsets into the index; optional for git. */
const OFFSET_EXTENSIONS: ReadonlySet<string> = new Set(['EOIE', 'IEOT']);
/** Half of the entries are in another file. */
const SPLIT = 'link';
const BOTH: Marks = { assumeValid: true, skipWorktree: true };

/**
 * Marks hidden files, which git would otherwise treat as deleted. `skip-worktree` covers `add`, `commit`,
 * `stash` and `reset`; `assume-unchanged` also covers cases where git clears the former (sparse work trees).
 * Null if there is nothing to mark or the index can't be rewritten.
 */
export function withMarks(index: Buffer, isHidden: (path: string) => boolean): MarkedIndex | null {
  const before = new Map<string, Marks>();
  const marked = rewrite(index, (entry) => {
    if (entry.stage !== 0 || !isHidden(entry.path)) return null;
    before.set(entry.path, marksOf(index, entry));
    return BOTH;
  });
  return marked === null || before.size === 0 ? null : { index: marked, before };
}

/** Restores the previous marks; null if the index can't be rewritten. */
export function withoutMarks(index: Buffer, before: MarkedIndex['before']): Buffer | null {
  return rewrite(index, ({ path, stage }) => (stage === 0 ? (before.get(path) ?? null) : null));
}

function marksOf(index: Buffer, { flagsAt }: IndexEntry): Marks {
  const flags = index.readUInt16BE(flagsAt);
  const more = (flags & EXTENDED) === 0 ? 0 : index.readUInt16BE(flagsAt + 2);
  return { assumeValid: (flags & ASSUME_VALID) !== 0, skipWorktree: (more & SKIP_WORKTREE) !== 0 };
}

function rewrite(index: Buffer, marksFor: (entry: IndexEntry) => Marks | null): Buffer | null {
  const listed = entriesOfIndex(index);
  if (listed === null || !hasRightSum(index, listed.idBytes)) return null;
  if (listed.extensions.some(({ name }) => name === SPLIT)) return null;
  const rest = listed.extensions.filter(({ name }) => !OFFSET_EXTENSIONS.has(name));
  const entries: Buffer[] = [];
  let isExtended = false;
  for (const entry of listed.entries) {
    const marks = marksFor(entry);
    const bytes = index.subarray(entry.start, entry.end);
    const written = marks === null ? bytes : markedEntry(bytes, marks, { entry, ...listed });
    isExtended ||= (written.readUInt16BE(entry.flagsAt - entry.start) & EXTENDED) !== 0;
    entries.push(written);
  }
  const header = Buffer.from(index.subarray(0, 12));
  // Version 2 has no second word of flags. Otherwise version 3 is the same.
  if (listed.version !== 4) header.writeUInt32BE(isExtended ? 3 : 2, 4);
  const body = Buffer.concat([
    header,
    ...entries,
    ...rest.map(({ start, end }) => index.subarray(start, end)),
  ]);
  return Buffer.concat([body, sumOf(body, listed.idBytes, index)]);
}

function markedEntry(
  bytes: Buffer,
  { assumeValid, skipWorktree }: Marks,
  { entry, version }: { readonly entry: IndexEntry; readonly version: number },
): Buffer {
  const at = entry.flagsAt - entry.start;
  const flags = bytes.readUInt16BE(at);
  const second = (flags & EXTENDED) === 0 ? 0 : bytes.readUInt16BE(at + 2);
  const more = (second & ~SKIP_WORKTREE) | (skipWorktree ? SKIP_WORKTREE : 0);
  const words = Buffer.alloc(more === 0 ? 2 : 4);
  const others = flags & ~ASSUME_VALID & ~EXTENDED;
  words.writeUInt16BE(others | (assumeValid ? ASSUME_VALID : 0) | (more === 0 ? 0 : EXTENDED), 0);
  if (more !== 0) words.writeUInt16BE(more, 2);
  const name = bytes.subarray(entry.nameAt - entry.start, entry.nameEnd - entry.start);
  const length = at + words.length + name.length;
  const padding = version === 4 ? 1 : 8 - (length % 8);
  return Buffer.concat([bytes.subarray(0, at), words, name, Buffer.alloc(padding)]);
}

/** All zeros if git omits the checksum (`index.skipHash`). */
function hasRightSum(index: Buffer, idBytes: 20 | 32): boolean {
  const body = index.subarray(0, index.length - idBytes);
  const found = index.subarray(index.length - idBytes);
  return found.equals(Buffer.alloc(idBytes)) || found.equals(digestOf(body, idBytes));
}

function sumOf(body: Buffer, idBytes: 20 | 32, before: Buffer): Buffer {
  const none = Buffer.alloc(idBytes);
  return before.subarray(before.length - idBytes).equals(none) ? none : digestOf(body, idBytes);
}

function digestOf(body: Buffer, idBytes: 20 | 32): Buffer {
  return createHash(idBytes === 20 ? 'sha1' : 'sha256')
    .update(body)
    .digest();
}
