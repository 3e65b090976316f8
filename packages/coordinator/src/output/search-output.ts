/** A line that holds what was looked for. */
export type OutputMatch = {
  /** First byte of the line. */
  readonly at: number;
  /** From 1. */
  readonly line: number;
  /** The line, or what of a long one stands around the match; without colours. */
  readonly text: string;
};

export type OutputSearch = {
  readonly matches: readonly OutputMatch[];
  /** Where to go on, and the number of the line that begins there; null: all was looked at. */
  readonly next: { readonly from: number; readonly line: number } | null;
};

export type SearchedFor = {
  /** 1 to 200 characters, whatever the case. */
  readonly text: string;
  /** A byte at which a line begins, and its number. */
  readonly from: number;
  readonly line: number;
  readonly limit: number;
};

const BREAK = 10;
/** A line without end is looked at in pieces; a match over the edge of two is not found. In bytes. */
const LONGEST_LINE = 256 * 1024;
/** Characters shown of a long line, half of them before the match. */
const SHOWN = 240;
const COLOURS =
  // No letter belongs to two of the classes, so that a line of them is gone through once.
  // oxlint-disable-next-line no-control-regex -- these are what is left out
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?)/g;

/** Looks through chunks of bytes that begin at `from`, holding no more than one of them and one line. */
export async function searchOutput(
  chunks: AsyncIterable<Buffer>,
  { text, from, line: firstLine, limit }: SearchedFor,
): Promise<OutputSearch> {
  const wanted = text.toLowerCase();
  const matches: OutputMatch[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let at = from;
  let line = firstLine;

  /** Goes on by lines; false when there are enough. */
  function scan(bytes: Buffer): boolean {
    const plain = plainText(bytes);
    if (!plain.toLowerCase().includes(wanted)) {
      // Most of a long output holds no match.
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

/** Where the last line ends that is whole; of a line that is too long, all that is there. */
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
