/** The role of a piece of text; the theme maps it to one of the 16 terminal colours. */
export type TextRole =
  | 'text'
  | 'bold'
  | 'muted'
  | 'ok'
  | 'warn'
  | 'danger'
  | 'running'
  | 'accent'
  | 'asks'
  | 'lane1'
  | 'lane2'
  | 'lane3'
  | 'lane4'
  | 'lane5'
  | 'lane6'
  | 'safe'
  | 'warning'
  | 'dangerous'
  | 'blocked'
  | 'badge'
  | 'badge-danger';

/**
 * A piece of a line: any text, however hostile, since the renderer escapes everything but visible characters. There is
 * no other way to the screen.
 */
export type Piece = Readonly<{
  text: string;
  role: TextRole;
  underlined?: boolean;
  /** Output of a program: its own colours pass, tabs are expanded. */
  printed?: boolean;
}>;

/** One row of the screen. */
export type Line = readonly Piece[];

/** Builds a line; bare strings have the role `text`. */
export function line(...parts: readonly (string | Piece | Line)[]): Line {
  return parts.flatMap((part) => (typeof part === 'string' ? [{ text: part, role: 'text' as const }] : part));
}

export function as(role: TextRole, text: string): Piece {
  return { text, role };
}

export function muted(text: string): Piece {
  return as('muted', text);
}

export function underlined(role: TextRole, text: string): Piece {
  return { text, role, underlined: true };
}

/** A line of a program's output. */
export function printed(text: string, role: TextRole = 'text'): Piece {
  return { text, role, printed: true };
}

export const BLANK: Line = [];
