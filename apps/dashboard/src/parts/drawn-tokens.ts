import { type AnsiToken, ansiTokens, PLAIN_STYLE } from './ansi-tokens.ts';
import { visibleParts, visible } from '@signalbox/core/visible-text';

/**
 * Limit of style changes and boxes around hidden characters per output: a command that changes its colour with each
 * letter must not freeze the page.
 */
export const MAX_DRAWN = 1000;

/**
 * Tokens of an output, limited in number; they contain the whole text.
 *
 * @param isEndRead whether the end is read first: its colours are kept, otherwise those of the beginning.
 */
export function drawnTokens(text: string, isEndRead: boolean): readonly AnsiToken[] {
  const tokens = fewer(joined(ansiTokens(text).tokens), isEndRead);
  const boxes = tokens.reduce((sum, token) => sum + visibleParts(token.text, 'output').length, 0);
  if (boxes <= 2 * MAX_DRAWN) return tokens;
  return tokens.map((token) => ({ ...token, text: visible(token.text, 'output') }));
}

function joined(tokens: readonly AnsiToken[]): readonly AnsiToken[] {
  const found: AnsiToken[] = [];
  for (const token of tokens) {
    const last = found.at(-1);
    if (last !== undefined && isLike(last, token))
      found[found.length - 1] = { ...last, text: last.text + token.text };
    else found.push(token);
  }
  return found;
}

function isLike(a: AnsiToken, b: AnsiToken): boolean {
  return a.colour === b.colour && a.bold === b.bold && a.dim === b.dim && a.underline === b.underline;
}

function fewer(tokens: readonly AnsiToken[], isEndRead: boolean): readonly AnsiToken[] {
  if (tokens.length <= MAX_DRAWN) return tokens;
  const cut = isEndRead ? tokens.length - MAX_DRAWN : MAX_DRAWN;
  const [before, after] = [tokens.slice(0, cut), tokens.slice(cut)];
  return isEndRead ? [plain(before), ...after] : [...before, plain(after)];
}

function plain(tokens: readonly AnsiToken[]): AnsiToken {
  return { ...PLAIN_STYLE, text: tokens.map(({ text }) => text).join('') };
}
