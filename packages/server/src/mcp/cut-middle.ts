/** A text without its middle. */
export type CutText = {
  readonly head: string;
  readonly tail: string;
  /** Lines and UTF-16 units between them. */
  readonly leftOut: { readonly lines: number; readonly characters: number };
};

/**
 * The head and the tail of a text that is longer than `maxLength`, cut between lines where a line ends near the cut;
 * null for one that fits.
 *
 * @param headShare of `maxLength`, 0 to 1
 */
export function cutMiddle(text: string, maxLength: number, headShare: number): CutText | null {
  if (text.length <= maxLength) return null;
  const headLength = Math.floor(maxLength * headShare);
  const headEnd = endOfHead(text, headLength);
  const tailStart = startOfTail(text, text.length - (maxLength - headLength));
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

/** Behind the last line feed in the second half of the head; else between two characters. */
function endOfHead(text: string, wanted: number): number {
  const lineEnd = text.lastIndexOf('\n', wanted - 1) + 1;
  if (lineEnd > wanted / 2) return lineEnd;
  return isLowSurrogate(text, wanted) ? wanted - 1 : wanted;
}

/** Behind the first line feed in the first half of the tail; else between two characters. */
function startOfTail(text: string, wanted: number): number {
  const lineStart = text.indexOf('\n', wanted - 1) + 1;
  if (lineStart > 0 && lineStart < wanted + (text.length - wanted) / 2) return lineStart;
  return isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
