import { suspectSpans } from './suspect-spans.ts';

/**
 * The name of a file for a model: characters that are invisible, or that would make a line look like another, are
 * escaped: `\x1b`, `<U+202E>`. In text that only looks like such an escape, the first letter is escaped.
 */
export function visibleName(name: string): string {
  const marked = name.replaceAll(/\\(?=x[0-9a-f]{2})|<(?=U\+[0-9A-F]{4,6}>)/g, escaped);
  return withoutInvisible(marked);
}

/** Text of ours that may quote such a name. */
export function withoutInvisible(text: string): string {
  let [shown, end] = ['', 0];
  for (const span of suspectSpans(text)) {
    if (span.kind !== 'invisible') continue;
    shown += text.slice(end, span.start) + escaped(text.slice(span.start, span.end));
    end = span.end;
  }
  return shown + text.slice(end);
}

/** The name that {@link visibleName} escaped; any other text is unchanged. */
export function nameMeant(shown: string): string {
  const name = shown.replaceAll(
    /\\x([0-9a-f]{2})|<U\+([0-9A-F]{4,6})>/g,
    (text, byte?: string, point = '') => {
      const code = Number.parseInt(byte ?? String(point), 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : text;
    },
  );
  return visibleName(name) === shown ? name : shown;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || code === 0x3c || code === 0x5c || (code >= 0x7f && code < 0xa0)
    ? String.raw`\x${code.toString(16).padStart(2, '0')}`
    : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
