/** A file listed in a git index, with its offsets in the index. */
export type IndexEntry = {
  readonly path: string;
  /** Hexadecimal. */
  readonly id: string;
  readonly mode: number;
  /** 0 except in a conflict. */
  readonly stage: number;
  readonly start: number;
  readonly flagsAt: number;
  /** Offset of the path, or of its prefix length in version 4. */
  readonly nameAt: number;
  /** Offset after the path, padding excluded. */
  readonly nameEnd: number;
  readonly end: number;
};

/** A block after the entries, such as the tree cache. */
export type IndexExtension = { readonly name: string; readonly start: number; readonly end: number };

export type IndexEntries = {
  readonly version: number;
  readonly idBytes: 20 | 32;
  readonly entries: readonly IndexEntry[];
  readonly extensions: readonly IndexExtension[];
};

const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size of an entry, before its id. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;

/**
 * The entries of a git index; null if it can't be read. `gitformat-index(5)`. Parsed once, however often it is
 * requested.
 */
export function entriesOfIndex(index: Buffer): IndexEntries | null {
  const read = known.get(index);
  if (read !== undefined) return read;
  // An index of a SHA-256 repository can't be read as one of a SHA-1 repository, nor the reverse.
  const entries = entriesWith(index, 20) ?? entriesWith(index, 32);
  known.set(index, entries);
  return entries;
}

/** Parsed entries by index. No caller changes the buffer of an index. */
const known = new WeakMap<Buffer, IndexEntries | null>();

function entriesWith(index: Buffer, idBytes: 20 | 32): IndexEntries | null {
  try {
    return readEntries(index, idBytes);
  } catch {
    return null;
  }
}

function readEntries(index: Buffer, idBytes: 20 | 32): IndexEntries | null {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null;
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  let before: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flagsAt = at + STAT_BYTES + idBytes;
    const flags = index.readUInt16BE(flagsAt);
    const nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    at = nameAt;
    let kept = 0;
    if (version === 4) [kept, at] = dropped(index, { start: at, length: before.length });
    const nameEnd = index.indexOf(0, at);
    if (nameEnd < 0 || kept > before.length) return null;
    const own = index.subarray(at, nameEnd);
    const path = version === 4 ? Buffer.concat([before.subarray(0, kept), own]) : own;
    before = path;
    // Others are padded with NULs to a multiple of eight bytes.
    at = version === 4 ? nameEnd + 1 : start + (Math.floor((nameEnd - start) / 8) + 1) * 8;
    const id = index.toString('hex', start + STAT_BYTES, flagsAt);
    const mode = index.readUInt32BE(start + MODE_AT);
    const stage = (flags >> 12) & 3;
    entries.push({ path: path.toString(), id, mode, stage, start, flagsAt, nameAt, nameEnd, end: at });
  }
  const extensions = extensionsOf(index, { start: at, end: index.length - idBytes });
  return extensions === null ? null : { version, idBytes, entries, extensions };
}

/** Null if they don't end at the checksum: then the entries are wrong too. */
function extensionsOf(
  index: Buffer,
  { start, end }: Readonly<{ start: number; end: number }>,
): readonly IndexExtension[] | null {
  const extensions: IndexExtension[] = [];
  let at = start;
  while (at + 8 <= end) {
    const next = at + 8 + index.readUInt32BE(at + 4);
    extensions.push({ name: index.toString('latin1', at, at + 4), start: at, end: next });
    at = next;
  }
  return at === end ? extensions : null;
}

/** Decodes how much of the previous path is kept; the variable-length number says how much is dropped. */
function dropped(
  index: Buffer,
  { start, length }: Readonly<{ start: number; length: number }>,
): [kept: number, at: number] {
  let at = start;
  let byte = index.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
    if (value > length) return [Number.MAX_SAFE_INTEGER, at];
  }
  return [length - value < 0 ? Number.MAX_SAFE_INTEGER : length - value, at];
}
