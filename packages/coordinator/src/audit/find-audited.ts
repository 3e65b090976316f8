import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { chainOf } from './audit-chain.ts';
import { AuditLine } from './audit-line.ts';

/** Bound for all logs together, read from their ends: some 250,000 lines. */
const MAX_SEARCHED_BYTES = 256 * 1024 ** 2;
const PART_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The last audit line of each command with this id prefix (after the `cmd_`), in these logs and their archives, at most
 * `limit`. Bounded: lines far from the ends of the logs are not found.
 */
export async function findAudited(
  files: readonly string[],
  prefix: string,
  { limit, maxBytes = MAX_SEARCHED_BYTES }: { readonly limit: number; readonly maxBytes?: number },
): Promise<readonly AuditLine[]> {
  // Also a guard: no foreign text becomes part of the search pattern.
  if (!/^[0-9a-z]{1,12}$/.test(prefix)) return [];
  const found = new Map<string, AuditLine>();
  let left = maxBytes;
  for (const file of files.flatMap((log) => chainOf(log).toReversed())) {
    if (found.size >= limit || left <= 0) break;
    left -= await searchFile(file, prefix, { left, limit, found });
  }
  return [...found.values()];
}

type Search = { readonly left: number; readonly limit: number; readonly found: Map<string, AuditLine> };

/** Returns the number of bytes read. */
async function searchFile(file: string, prefix: string, search: Search): Promise<number> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  if (handle === null) return 0;
  try {
    return await searchBackwards(handle, Buffer.from(`"command_id":"cmd_${prefix}`), search);
  } finally {
    await handle.close();
  }
}

async function searchBackwards(
  handle: FileHandle,
  wanted: Buffer,
  { left, limit, found }: Search,
): Promise<number> {
  let end = (await handle.stat()).size;
  let read = 0;
  /** The first bytes of the previous chunk up to its first newline: the end of a line that begins before it. */
  let rest = Buffer.alloc(0);
  while (end > 0 && read < left && found.size < limit) {
    const start = Math.max(0, end - PART_BYTES);
    const part = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(part, 0, part.length, start);
    read += bytesRead;
    const bytes = Buffer.concat([part.subarray(0, bytesRead), rest]);
    const newline = bytes.indexOf(NEWLINE);
    const firstWhole = start === 0 ? 0 : newline < 0 ? bytes.length : newline + 1;
    takeFrom(bytes.subarray(firstWhole), wanted, { limit, found });
    // A line longer than any we write is not kept until its beginning is found.
    rest = firstWhole > MAX_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(bytes.subarray(0, firstWhole));
    end = start;
  }
  return read;
}

const MAX_LINE_BYTES = 8 * PART_BYTES;

/** Collects the matching lines from complete lines, last first. */
function takeFrom(bytes: Buffer, wanted: Buffer, { limit, found }: Pick<Search, 'limit' | 'found'>): void {
  for (let at = bytes.lastIndexOf(wanted); at >= 0 && found.size < limit;) {
    const begin = bytes.lastIndexOf(NEWLINE, at) + 1;
    const end = bytes.indexOf(NEWLINE, at);
    const line = parseLine(bytes.subarray(begin, end < 0 ? bytes.length : end));
    // A match may be in the arguments of another command.
    if (
      line?.command_id.startsWith(wanted.subarray(ID_AT).toString()) === true &&
      !found.has(line.command_id)
    )
      found.set(line.command_id, line);
    at = begin === 0 ? -1 : bytes.lastIndexOf(wanted, begin - 1);
  }
}

const ID_AT = '"command_id":"'.length;

function parseLine(bytes: Buffer): AuditLine | null {
  try {
    return AuditLine.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
