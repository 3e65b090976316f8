/** A line that contains the searched text. */
export type OutputMatch = {
  /** First byte of the line. */
  readonly at: number;
  /** Line number, from 1. */
  readonly line: number;
  /** The line, or the part of a long line around the match; without colours. */
  readonly text: string;
};

export type OutputSearch = {
  readonly matches: readonly OutputMatch[];
  /** Where to continue, and the number of the line that begins there; null: everything was searched. */
  readonly next: { readonly from: number; readonly line: number } | null;
};

export type SearchedFor = {
  /** 1 to 200 characters, case-insensitive. */
  readonly text: string;
  /** Byte offset of the start of a line, and the line's number. */
  readonly from: number;
  readonly line: number;
  readonly limit: number;
};

const BREAK = 10;
/** A longer line is searched in pieces; a match across two of them is not found. In bytes. */
const LONGEST_LINE = 256 * 1024;
/** Characters shown of a long line, half of them before the match. */
const SHOWN = 240;
const COLOURS =
  // No character belongs to two of the classes, so that matching a line is linear.
  // oxlint-disable-next-line no-control-regex -- these are what is left out
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?)/g;

/** Searches chunks of bytes that begin at `from`, holding at most one of them and one line. */
export async function searchOutput(
  chunks: AsyncIterable<Buffer>,
  { text, from, line: firstLine, limit }: SearchedFor,
): Promise<OutputSearch> {
  const wanted = text.toLowerCase();
  const matches: OutputMatch[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let at = from;
  let line = firstLine;

  /** Searches line by line; false if there are enough matches. */
  function scan(bytes: Buffer): boolean {
    const plain = plainText(bytes);
    if (!plain.toLowerCase().includes(wanted)) {
      // Most chunks of a long output contain no match.
      at += bytes.length;
      line += countBreaks(bytes);
      return true;
    }
    let start = 0;
    for (const shown of plain.split('\n')) {
      const offset = shown.toLowerCase().indexOf(wanted);
      if (offset >= 0) matches.push({ at: at + start, line, text: around(shown.trimEnd(), offset) });
      const end = bytes.indexOf(BREAK, start);
      if (end < 0) break;
      start = end + 1;
      line += 1;
      if (matches.length >= limit && start < bytes.length) {
        at += start;
        return false;
      }
    }
    at += bytes.length;
    return matches.length < limit;
  }

  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = wholeLines(bytes);
    rest = bytes.subarray(end);
    if (end > 0 && !scan(bytes.subarray(0, end))) return { matches, next: { from: at, line } };
  }
  if (rest.length > 0) scan(rest);
  return { matches, next: null };
}

/** End of the last complete line; of an overlong line, everything read so far. */
function wholeLines(bytes: Buffer): number {
  const end = bytes.lastIndexOf(BREAK) + 1;
  return bytes.length - end > LONGEST_LINE ? bytes.length : end;
}

function plainText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll(COLOURS, '');
}

function countBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(BREAK); at >= 0; at = bytes.indexOf(BREAK, at + 1)) count += 1;
  return count;
}

function around(text: string, offset: number): string {
  if (text.length <= SHOWN) return text;
  const begin = Math.max(0, Math.min(offset - SHOWN / 2, text.length - SHOWN));
  const part = text.slice(begin, begin + SHOWN).toWellFormed();
  return `${begin > 0 ? '…' : ''}${part}${begin + SHOWN < text.length ? '…' : ''}`;
}
