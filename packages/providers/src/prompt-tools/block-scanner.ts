/** A stretch of text, or the body of a ```` ```tool_call ```` block. */
export type ScannedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly body: string };

export type BlockScanner = {
  /** Takes the next piece of text, cut anywhere. */
  push(delta: string): ScannedPiece[];
  /** Ends the text. An open block counts as closed. */
  end(): ScannedPiece[];
};

const OPENING = /^[ \t]*(`{3,})[ \t]*tool_call[ \t]*\r?$/;
/** Some models begin the JSON on the line of the fence. */
const INLINE_OPENING = /^[ \t]*(`{3,})[ \t]*tool_call[ \t]*(?=[[{])/;
/** The start of a line that may still become an opening fence. */
const MAYBE_OPENING = /^[ \t]*(`{0,2}|`{3,}[ \t]*(?:\w{1,9}[ \t]*)?\r?)$/;

type OpenBlock = { readonly fence: number; readonly lines: string[] };

/**
 * Extracts tool call blocks from a text while it streams.
 *
 * Works line by line. Text outside blocks is passed on unchanged, as soon as it can't become a fence. A fence
 * closes a block when it has at least as many backticks as the opening one (CommonMark 4.5). Models also write
 * it directly after the JSON, so a fence at the end of a line closes the block when the text before it is
 * complete.
 */
export function createBlockScanner(): BlockScanner {
  /** The part of the current line that has arrived and not been passed on. */
  let line = '';
  /** Whether the start of the current line was passed on, so it can't be a fence. */
  let midLine = false;
  let block: OpenBlock | undefined;

  const openInline = (): void => {
    const opening = block === undefined && !midLine ? INLINE_OPENING.exec(line) : null;
    if (opening === null) return;
    block = { fence: opening[1]?.length ?? 3, lines: [] };
    line = line.slice(opening[0].length);
  };

  const endLine = (newline: string): ScannedPiece[] => {
    openInline();
    const whole = line;
    line = '';
    if (block !== undefined) return addToBlock(block, whole);
    const opening = midLine ? null : OPENING.exec(whole);
    midLine = false;
    if (opening === null) return textPiece(whole + newline);
    block = { fence: opening[1]?.length ?? 3, lines: [] };
    return [];
  };

  const addToBlock = ({ fence, lines }: OpenBlock, whole: string): ScannedPiece[] => {
    const trimmed = whole.trimEnd();
    const before = withoutBackticks(trimmed);
    if (trimmed.length - before.length >= fence) {
      const body = [...lines, before].join('\n');
      if (before.trim() === '' || isJson(body)) {
        block = undefined;
        return [{ kind: 'block', body: body.trim() }];
      }
    }
    lines.push(whole);
    return [];
  };

  return {
    push(delta) {
      const pieces: ScannedPiece[] = [];
      const lines = delta.split('\n');
      for (const [index, part] of lines.entries()) {
        line += part;
        if (index < lines.length - 1) pieces.push(...endLine('\n'));
      }
      openInline();
      if (block === undefined && line !== '' && (midLine || !MAYBE_OPENING.test(line))) {
        pieces.push(...textPiece(line));
        line = '';
        midLine = true;
      }
      return pieces;
    },
    end() {
      const pieces = line === '' ? [] : endLine('');
      if (block !== undefined) {
        pieces.push({ kind: 'block', body: block.lines.join('\n').trim() });
        block = undefined;
      }
      midLine = false;
      return pieces;
    },
  };
}

function textPiece(text: string): ScannedPiece[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

/** Removes trailing backticks. A regular expression would take quadratic time on a long run of them. */
function withoutBackticks(line: string): string {
  let end = line.length;
  while (line[end - 1] === '`') end -= 1;
  return line.slice(0, end);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
