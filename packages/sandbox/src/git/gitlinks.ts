const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size of an entry, before its id. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const GITLINK = 0o160000;
const EXTENDED = 0x4000;

/**
 * The paths that an index of git lists as repositories of their own: in each of them git reads the configuration that
 * stands there. Null where it can't be read. `gitformat-index(5)`.
 */
export function linksInIndex(index: Buffer): readonly string[] | null {
  // One of a repository with SHA-256 is no index of one with SHA-1, and the other way round.
  return gitlinksOf(index, 20) ?? gitlinksOf(index, 32);
}

function gitlinksOf(index: Buffer, idBytes: 20 | 32): readonly string[] | null {
  try {
    return readEntries(index, idBytes);
  } catch {
    return null;
  }
}

function readEntries(index: Buffer, idBytes: number): readonly string[] | null {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null;
  const links: string[] = [];
  let at = HEADER_BYTES;
  let before: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flagsAt = at + STAT_BYTES + idBytes;
    const isExtended = (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    at = flagsAt + (isExtended ? 4 : 2);
    let kept = 0;
    if (version === 4) [kept, at] = dropped(index, at, before.length);
    const end = index.indexOf(0, at);
    if (end < 0 || kept > before.length) return null;
    const path = Buffer.concat([before.subarray(0, kept), index.subarray(at, end)]);
    if (index.readUInt32BE(start + MODE_AT) === GITLINK) links.push(path.toString());
    before = version === 4 ? path : before;
    // Others are padded with NULs to a multiple of eight bytes.
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  }
  return links;
}

/** How much of the path before stays, by a number of variable length that says how much does not. */
function dropped(index: Buffer, start: number, length: number): [kept: number, at: number] {
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
