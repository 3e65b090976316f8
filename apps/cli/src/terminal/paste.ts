const END = '\x1b[201~';
/** Twice what a message may have; the rest is dropped. */
const MAX_LENGTH = 20_000;

/** A text that is being pasted: the terminal sends it in pieces, with a mark at its end. */
type Paste = {
  /** Null: its end is still to come. Otherwise what follows it. */
  take(piece: string): string | null;
  /** So far, without control characters other than line breaks and tabs. */
  text(): string;
};

export function createPaste(): Paste {
  let kept = '';
  /** May be the beginning of the mark. */
  let tail = '';
  const keep = (text: string): void => {
    kept += text.slice(0, Math.max(0, MAX_LENGTH - kept.length));
  };

  return {
    take(piece) {
      const read = tail + piece;
      const at = read.indexOf(END);
      tail = at === -1 ? read.slice(1 - END.length) : '';
      keep(at === -1 ? read.slice(0, read.length - tail.length) : read.slice(0, at));
      return at === -1 ? null : read.slice(at + END.length);
    },
    text: () => kept.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ''),
  };
}
