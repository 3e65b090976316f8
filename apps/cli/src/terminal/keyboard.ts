import { createPaste } from './paste.ts';

/** One key press: a character, or a name such as `enter`. A pasted text is one text, whatever it contains. */
export type Key = Readonly<{ kind: 'text'; text: string } | { kind: 'named'; name: KeyName }>;

export type KeyName =
  | 'enter'
  | 'escape'
  /** A character with Alt, or Esc and a character read together: they are indistinguishable. */
  | 'alt'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'home'
  | 'end'
  | 'tab'
  | 'ctrl-c'
  | 'ctrl-u'
  | 'ctrl-w';

/** Single keys (raw mode), if standard input is a terminal. */
export type Keyboard = Readonly<{
  /** Whether single keys can be read here. */
  available: boolean;
  /**
   * Enables raw mode until the returned function is called. One listener at a time.
   *
   * @param onCursor receives the column of a cursor report, for a terminal that was asked for it (`CSI 6n`)
   */
  listen(listener: (key: Key) => void, onCursor?: (column: number) => void): () => void;
}>;

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\x1b': 'escape',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\t': 'tab',
  '\x03': 'ctrl-c',
  '\x15': 'ctrl-u',
  '\x17': 'ctrl-w',
  '\x01': 'home',
  '\x05': 'end',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1b[1~': 'home',
  '\x1b[4~': 'end',
  '\x1b[3~': 'delete',
  '\x1b[5~': 'page-up',
  '\x1b[6~': 'page-down',
};

/** They begin a terminal's reports about itself; without the end of a report they are a key with Alt. */
const STRINGS: ReadonlySet<string> = new Set(['\x1bP', '\x1bX', '\x1b]', '\x1b^', '\x1b_']);

const SEQUENCE_OR_CHARACTER =
  // oxlint-disable-next-line no-control-regex -- keys arrive as control characters
  /\x1b\[[0-?]*[ -/]*(?:[@-~]|$)|\x1b[PX\]^_](?:[^\p{Cc}]*(?:\x07|\x1b\\)|[^\p{Cc}]+)|\x1bO.|\x1b[^[O\x1b]|[\s\S]/gu;

/** A sequence whose end is still to come; no terminal sends a longer one. */
// oxlint-disable-next-line no-control-regex -- keys arrive as control characters
const UNFINISHED = /\x1b\[[0-?]{0,32}[ -/]{0,4}$/;

/**
 * A reply of the terminal whose end is still to come. It may have any length, so only its beginning is kept. Any control
 * character ends it: Enter or Ctrl-C gets a person out where the end never comes.
 */
// oxlint-disable-next-line no-control-regex -- keys arrive as control characters
const UNFINISHED_STRING = /(\x1b[PX\]^_][^\p{Cc}])[^\p{Cc}]*(\x1b?)$/u;

/**
 * The keys in a chunk of terminal input. Other control sequences are dropped whole, so that no part of one
 * is taken for an answer: the keys of `node:readline` take `ESC [ ? 1 ; 2 c` for a `c`, and an Esc half a second late.
 */
export function parseKeys(chunk: string): readonly Key[] {
  const parts = chunk.match(SEQUENCE_OR_CHARACTER) ?? [];
  return parts.flatMap((part): readonly Key[] => {
    // Application mode sends O instead of [.
    const name = SEQUENCES[part.length === 3 && part[1] === 'O' ? `\x1b[${part[2] ?? ''}` : part];
    if (name !== undefined) return [{ kind: 'named', name }];
    if (part.startsWith('\x1b') && !STRINGS.has(part) && /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(part.slice(1)))
      return [{ kind: 'named', name: 'alt' }];
    return /^[\p{C}]/u.test(part) ? [] : [{ kind: 'text', text: part }];
  });
}

/** Cursor reports, the answers to `CSI 6n`: `CSI row ; column R`. */
export function cursorColumns(chunk: string): readonly number[] {
  // oxlint-disable-next-line no-control-regex -- terminals answer in control characters
  return [...chunk.matchAll(/\x1b\[\d+;(\d+)R/g)].map(([, column]) => Number(column));
}

type Input = Readonly<{
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer | string) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}>;

/** Has the terminal mark what is pasted: otherwise each of its lines would be sent, and its letters taken for keys. */
const MARK_PASTES = '\x1b[?2004h';
const DO_NOT_MARK_PASTES = '\x1b[?2004l';
const PASTE_BEGIN = '\x1b[200~';

type Streams = Readonly<{ input: Input; output: Readonly<{ write(text: string): unknown }> }>;

export function createKeyboard({ input, output }: Streams, available: boolean): Keyboard {
  return {
    available,
    listen(listener, onCursor = () => undefined) {
      const decoder = new TextDecoder();
      let begun = '';
      let paste: ReturnType<typeof createPaste> | null = null;
      const onData = (chunk: Buffer | string): void => {
        let read = begun + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
        begun = '';
        // The way out of a paste whose end never comes.
        if (paste !== null && read === '\x03') paste = null;
        for (;;) {
          if (paste !== null) {
            const rest = paste.take(read);
            if (rest === null) return;
            if (paste.text() !== '') listener({ kind: 'text', text: paste.text() });
            paste = null;
            read = rest;
          }
          const at = read.indexOf(PASTE_BEGIN);
          if (at === -1) break;
          takeKeys(read.slice(0, at));
          paste = createPaste();
          read = read.slice(at + PASTE_BEGIN.length);
        }
        takeKeys(read);
      };
      const takeKeys = (read: string): void => {
        const [open = '', start = '', end = ''] = UNFINISHED_STRING.exec(read) ?? [];
        const cut = open === '' ? (UNFINISHED.exec(read)?.[0] ?? '') : open;
        begun = open === '' ? cut : start + end;
        const text = read.slice(0, read.length - cut.length);
        for (const column of cursorColumns(text)) onCursor(column);
        for (const key of parseKeys(text)) listener(key);
      };
      input.setRawMode?.(true);
      output.write(MARK_PASTES);
      input.on('data', onData);
      input.resume();
      return () => {
        input.off('data', onData);
        output.write(DO_NOT_MARK_PASTES);
        input.setRawMode?.(false);
        input.pause();
      };
    },
  };
}
