/** Characters per answer: below the limit at which agents truncate (25,000). */
const MAX_CHARACTERS = 20_000;
/** Characters per line; a longer one is truncated, and `search` shows the rest. */
const MAX_LINE = 4000;
/** Bytes kept of a longer line. A UTF-8 character has at most four. */
const MAX_LINE_BYTES = 4 * MAX_LINE;
const BREAK = 10;

export type NumberedLine = { readonly line: number; readonly text: string };

export type LineReader = {
  readonly lines: readonly NumberedLine[];
  /** The line after the last one returned; null at the end of the stream. */
  readonly nextLine: number | null;
  /** Null if reading stopped before the end. */
  readonly totalLines: number | null;
};

type Chunks = AsyncIterable<Buffer>;

/** At most `maxLines` lines from `firstLine` on; stops reading after them. */
export async function linesFrom(
  chunks: Chunks,
  { firstLine, maxLines }: { readonly firstLine: number; readonly maxLines: number },
): Promise<LineReader> {
  const lines: NumberedLine[] = [];
  let characters = 0;
  const total = await eachLine(chunks, (raw) => {
    if (raw.line < firstLine) return true;
    if (lines.length >= maxLines) return false;
    const next = shown(raw);
    characters += next.text.length + 1;
    if (characters > MAX_CHARACTERS && lines.length > 0) return false;
    lines.push(next);
    return true;
  });
  const nextLine = total === null ? firstLine + lines.length : null;
  return { lines, nextLine, totalLines: total };
}

/** The last lines, at most `maxLines`. Holds only these in memory. */
export async function lastLines(chunks: Chunks, maxLines: number): Promise<LineReader> {
  const ring: RawLine[] = [];
  const total = await eachLine(chunks, (raw) => {
    ring[(raw.line - 1) % maxLines] = raw;
    return true;
  });
  const lines: NumberedLine[] = [];
  let characters = 0;
  for (const raw of ring.toSorted((a, b) => b.line - a.line)) {
    const next = shown(raw);
    characters += next.text.length + 1;
    if (characters > MAX_CHARACTERS && lines.length > 0) break;
    lines.unshift(next);
  }
  return { lines, nextLine: null, totalLines: total };
}

/** The start of a line, and its length in bytes. */
type RawLine = { readonly line: number; readonly bytes: Buffer; readonly length: number };

/**
 * Passes on the lines of a stream, numbered from 1, until `take` returns false. Returns the number of lines, or null if
 * it was stopped. Linear in the length of the stream; holds one chunk and the start of one line.
 */
async function eachLine(chunks: Chunks, take: (line: RawLine) => boolean): Promise<number | null> {
  let line = 0;
  let held: Buffer = Buffer.alloc(0);
  let heldLength = 0;

  function whole(end: Buffer): RawLine {
    line += 1;
    const raw =
      heldLength === 0
        ? { line, bytes: end.subarray(0, MAX_LINE_BYTES), length: end.length }
        : { line, bytes: joined(held, end), length: heldLength + end.length };
    held = Buffer.alloc(0);
    heldLength = 0;
    return raw;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(BREAK); end >= 0; end = chunk.indexOf(BREAK, start)) {
      if (!take(whole(chunk.subarray(start, end)))) return null;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    held = joined(held, rest);
    heldLength += rest.length;
  }
  if (heldLength > 0 && !take(whole(Buffer.alloc(0)))) return null;
  return line;
}

function joined(held: Buffer, more: Buffer): Buffer {
  if (held.length >= MAX_LINE_BYTES || more.length === 0) return held;
  return Buffer.concat([held, more.subarray(0, MAX_LINE_BYTES - held.length)]);
}

function shown({ line, bytes, length }: RawLine): NumberedLine {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  if (length <= bytes.length && text.length <= MAX_LINE) return { line, text };
  const beginning = text.slice(0, MAX_LINE).toWellFormed();
  return { line, text: `${beginning} [… line of ${length} bytes; search finds text inside it]` };
}
