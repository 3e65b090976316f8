import type { RedactionStream } from './redaction-stage.ts';

/** For a line, in UTF-16 units; a longer one is processed in blocks of this size. */
const BLOCK = 1024;
/** Longer than any private key. */
const MAX_HELD_CHARACTERS = 16 * 1024;
/** Longest escape sequence that may continue in the next block. */
const LONGEST_ESCAPE = 300;

/** Escape sequences without their end, with ESC or as one character. Source: ECMA-48. */
const CONTROL = String.raw`(?:\u001B\[|\u009B)[0-?]{0,64}[ -/]{0,8}`;
const SYSTEM_COMMAND = String.raw`(?:\u001B\]|\u009D)[^\u0007\u001B\u009C]{0,256}`;
const OTHER_STRING = String.raw`(?:\u001B[PX^_]|[\u0090\u0098\u009E\u009F])[^\u001B\u009C]{0,256}`;
/** Whole ones; the last two are choices of characters, and the rest. */
const SEQUENCE = [
  String.raw`${CONTROL}[@-~]`,
  String.raw`${SYSTEM_COMMAND}(?:\u0007|\u001B\\|\u009C)`,
  String.raw`${OTHER_STRING}(?:\u001B\\|\u009C)`,
  String.raw`\u001B[ -/]{1,4}[0-~]`,
  String.raw`\u001B[0-Z\\^-~]`,
].join('|');
/** One that may continue behind the end of a text. */
const UNFINISHED = new RegExp(
  String.raw`(?:${CONTROL}|(?:${SYSTEM_COMMAND}|${OTHER_STRING})\u001B?|\u001B[ -/]{0,4})$`,
  'u',
);
/** Escape sequences, backspace, NUL and other control characters, and zero-width characters. */
const HIDDEN = new RegExp(
  String.raw`${SEQUENCE}|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\p{Default_Ignorable_Code_Point}]`,
  'gu',
);
const MARK = '-----';
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY/;
const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY/;
/** A line of base64, in any quoting. */
const BODY = /^[\s>|#*"'+:\d.-]{0,24}[A-Za-z0-9+/]{1,100}={0,2}(?:\\n)?["'\s,;+]{0,8}$/;
/** The first line of a body: neither a word nor a hash. */
const FIRST = /^(?=[^a-z]{0,60}[a-z])(?=[^A-Z]{0,60}[A-Z]).{0,24}[A-Za-z0-9+/]{40}/;
const BLANK = /^\s*$/;
const HEADER = /^[\s>|#*]{0,24}[A-Z][A-Za-z-]{1,20}: /;

/**
 * Whether {@link createUnhiding} would leave all of it unchanged: it hides nothing, and no key begins or ends in it.
 */
export function hidesNothing(text: string): boolean {
  return !text.includes(MARK) && text.search(HIDDEN) < 0;
}

/**
 * Runs before the patterns, line by line: characters that hide a secret from them are removed from the line, and the
 * body of a private key without its beginning is replaced once its end comes. All other text stays as it is.
 *
 * @param holdsSecret Whether the patterns find a secret in a text.
 */
export function createUnhiding(holdsSecret: (text: string) => boolean): RedactionStream {
  let buffer = '';
  /** Within a line of several blocks. */
  let isLong = false;
  let isAfterBegin = false;
  let held = '';

  return {
    push(text) {
      buffer += text;
      return advance(false);
    },
    end: () => advance(true) + release(),
  };

  function advance(isLast: boolean): string {
    let shown = '';
    let start = 0;
    const nextLine = lineEnds(buffer);
    const nextHidden = hiddenPositions(buffer);
    while (start < buffer.length) {
      const lineEnd = nextLine(start);
      const isWhole = lineEnd >= 0 && lineEnd < start + BLOCK;
      const isMore = buffer.length - start > BLOCK;
      if (!isWhole && !isMore && !isLast) break;
      const length = isWhole
        ? lineEnd + 1 - start
        : isMore
          ? lengthOfBlock(buffer.slice(start, start + BLOCK))
          : buffer.length - start;
      const isEnd = isWhole || !isMore;
      const mayHide = nextHidden(start) < start + length;
      shown += block(buffer.slice(start, start + length), { isLine: isEnd && !isLong, mayHide });
      isLong = !isEnd;
      start += length;
    }
    buffer = buffer.slice(start);
    return shown;
  }

  function block(
    text: string,
    { isLine, mayHide }: { readonly isLine: boolean; readonly mayHide: boolean },
  ): string {
    const clean = mayHide ? text.replaceAll(HIDDEN, '') : text;
    if (!isAfterBegin && isLine && isBody(clean)) {
      held += text;
      return held.length > MAX_HELD_CHARACTERS ? release() : '';
    }
    const before = held !== '' && END.test(clean) ? replaceHeld() : release();
    const isShownClean = clean !== text && (!isLine || isAfterBegin || holdsSecret(clean));
    isAfterBegin = continues(clean);
    return before + (isShownClean ? clean : text);
  }

  function isBody(line: string): boolean {
    return held === '' ? FIRST.test(line) && BODY.test(line) : BODY.test(line) || BLANK.test(line);
  }

  /** Whether the body of a key follows, which the patterns remove. */
  function continues(line: string): boolean {
    if (END.test(line)) return false;
    return BEGIN.test(line) || (isAfterBegin && (BODY.test(line) || BLANK.test(line) || HEADER.test(line)));
  }

  function release(): string {
    const text = held;
    held = '';
    return text;
  }

  function replaceHeld(): string {
    held = '';
    return '[redacted:private-key]\n';
  }
}

/** Returns the end of the line at a position; each end is searched once, whatever the lines. */
function lineEnds(text: string): (from: number) => number {
  const next = { '\n': -2, '\r': -2 };
  const find = (end: '\n' | '\r', from: number): number => {
    if (next[end] !== -1 && next[end] < from) next[end] = text.indexOf(end, from);
    return next[end];
  };
  return (from) => {
    const [feed, carriage] = [find('\n', from), find('\r', from)];
    return feed < 0 || (carriage >= 0 && carriage < feed) ? carriage : feed;
  };
}

/** Returns the position of the next hidden character, or the end of the text; each is searched once. */
function hiddenPositions(text: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    HIDDEN.lastIndex = from;
    next = HIDDEN.exec(text)?.index ?? text.length;
    return next;
  };
}

/** Keeps escape sequences and characters whole. */
function lengthOfBlock(window: string): number {
  const tail = window.length - LONGEST_ESCAPE;
  const unfinished = window.slice(tail).search(UNFINISHED);
  if (unfinished >= 0) return tail + unfinished;
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd8_00 && last <= 0xdb_ff ? window.length - 1 : window.length;
}
