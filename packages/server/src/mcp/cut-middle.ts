/** A text without its middle. */
export type CutText = {
  readonly head: string;
  readonly tail: string;
  /** Lines and UTF-16 units between head and tail. */
  readonly leftOut: { readonly lines: number; readonly characters: number };
};

/** Both bounds apply; `headShare`, 0 to 1, is the share of the head. */
export type CutBounds = {
  /** UTF-16 units. */
  readonly maxLength: number;
  /** At least 2. */
  readonly maxLines: number;
  readonly headShare: number;
};

/**
 * The head and the tail of a text that exceeds its bounds, cut between lines where a line ends near the cut; null when
 * it fits.
 */
export function cutMiddle(text: string, { maxLength, maxLines, headShare }: CutBounds): CutText | null {
  if (text.length <= maxLength && countLines(text) <= maxLines) return null;
  const headLength = Math.floor(maxLength * headShare);
  const headLines = Math.max(1, Math.floor(maxLines * headShare));
  const headEnd = Math.min(endOfHead(text, headLength), endOfLine(text, headLines));
  const tailStart = Math.max(
    startOfTail(text, text.length - (maxLength - headLength)),
    startOfLastLines(text, maxLines - headLines),
  );
  const middle = text.slice(headEnd, tailStart);
  return {
    head: text.slice(0, headEnd),
    tail: text.slice(tailStart),
    leftOut: { lines: countLines(middle), characters: middle.length },
  };
}

/** Line feeds in a text. */
export function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function countLines(text: string): number {
  return countLineFeeds(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** Offset after the line feed of that line, counted from 1. */
function endOfLine(text: string, line: number): number {
  let end = 0;
  for (let left = line; left > 0; left -= 1) {
    const at = text.indexOf('\n', end);
    if (at === -1) return text.length;
    end = at + 1;
  }
  return end;
}

function startOfLastLines(text: string, lines: number): number {
  let start = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let left = lines; left > 0; left -= 1) {
    start = start === 0 ? -1 : text.lastIndexOf('\n', start - 1);
    if (start === -1) return 0;
  }
  return start + 1;
}

/** Offset after the last line feed in the second half of the head; otherwise between two characters. */
function endOfHead(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', wanted - 1) + 1;
  if (lineEnd > wanted / 2) return lineEnd;
  return isLowSurrogate(text, wanted) ? wanted - 1 : wanted;
}

/** Offset after the first line feed in the first half of the tail; otherwise between two characters. */
function startOfTail(text: string, wanted: number): number {
  if (wanted <= 0) return 0;
  const lineStart = text.indexOf('\n', wanted - 1) + 1;
  if (lineStart > 0 && lineStart < wanted + (text.length - wanted) / 2) return lineStart;
  return isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
