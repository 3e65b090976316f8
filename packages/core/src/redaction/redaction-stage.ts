import { LONGEST_START, type SecretPattern } from './security-patterns.ts';

export type RedactionStream = {
  /** Text that can be shown by now: all but a tail that may be the beginning of a secret. */
  push(text: string): string;
  /** The rest. Nothing may be pushed afterwards. */
  end(): string;
};

/** What a stage needs of a {@link SecretPattern}. */
export type RedactionPattern = Omit<SecretPattern, 'category'>;

/** Processed characters that stay in the buffer for look-behinds and for the end mark of a key block. */
const CONTEXT = 128;

/**
 * Replaces what the patterns match by `[redacted:name]`; the chunking of the text makes no difference.
 *
 * The buffer is the context, then the unprocessed text. Text before the last line break is complete, since no `start`
 * crosses one; in a line without end, all but its last `holdBack` characters are.
 *
 * @param patterns At least one.
 */
export function createRedactionStage(
  patterns: readonly RedactionPattern[],
  holdBack = LONGEST_START,
): RedactionStream {
  let buffer = '';
  let position = 0;
  let inside: { pattern: RedactionPattern; since: number } | undefined;

  return {
    push(text) {
      buffer += text;
      return advance(safeEnd());
    },
    end: () => advance(buffer.length),
  };

  /** How far matches may begin. A long line is processed in pieces, so that tiny chunks don't cost a search each. */
  function safeEnd(): number {
    const line = Math.max(buffer.lastIndexOf('\n'), buffer.lastIndexOf('\r')) + 1;
    const isLong = buffer.length - Math.max(line, position) > 2 * holdBack;
    const safe = isLong ? buffer.length - holdBack : line;
    return isHighSurrogate(buffer, safe - 1) ? safe - 1 : safe;
  }

  function advance(safe: number): string {
    let shown = '';
    const next = createSearch(patterns, buffer);
    while (position < safe) {
      if (inside !== undefined) {
        skip(inside);
        continue;
      }
      const found = next(position);
      if (found.index >= safe) {
        shown += buffer.slice(position, safe);
        position = safe;
      } else {
        shown += `${buffer.slice(position, found.index)}${found.kept}[redacted:${found.pattern.name}]`;
        position = found.end;
        inside = { pattern: found.pattern, since: position };
      }
    }
    const forgotten = Math.max(0, position - CONTEXT);
    buffer = buffer.slice(forgotten);
    position -= forgotten;
    if (inside !== undefined) inside.since = Math.max(0, inside.since - forgotten);
    return shown;
  }

  /** Drops the continuation of the secret, and stops at its end. It may go on in the next chunk. */
  function skip({ pattern, since }: { pattern: RedactionPattern; since: number }): void {
    pattern.rest.lastIndex = position;
    const runEnd = position + (pattern.rest.exec(buffer)?.[0].length ?? 0);
    const stop = pattern.until === undefined ? undefined : endOfMark(pattern.until, { since, runEnd });
    if (stop !== undefined || runEnd < buffer.length) inside = undefined;
    position = stop ?? runEnd;
  }

  function endOfMark(
    until: RegExp,
    { since, runEnd }: Readonly<{ since: number; runEnd: number }>,
  ): number | undefined {
    until.lastIndex = since;
    const mark = until.exec(buffer);
    const end = mark === null ? Infinity : mark.index + mark[0].length;
    return end <= runEnd ? end : undefined;
  }
}

/** Infinite when there is none: `index` and `end`. */
type Found = {
  readonly index: number;
  readonly end: number;
  readonly kept: string;
  readonly pattern: RedactionPattern;
};

/** Finds the next match of any pattern; each pattern reads the text once. */
function createSearch(patterns: readonly RedactionPattern[], text: string): (from: number) => Found {
  const ahead = new Map<RedactionPattern, Found>();
  return (from) => {
    const found = patterns.map((pattern) => {
      const known = ahead.get(pattern);
      if (known !== undefined && known.index >= from) return known;
      const next = search(pattern, text, { from });
      ahead.set(pattern, next);
      return next;
    });
    return found.reduce((first, one) => (one.index < first.index ? one : first));
  };
}

function search(pattern: RedactionPattern, text: string, { from }: Readonly<{ from: number }>): Found {
  pattern.start.lastIndex = from;
  const match = pattern.start.exec(text);
  if (match === null) return { index: Infinity, end: Infinity, kept: '', pattern };
  return { index: match.index, end: match.index + match[0].length, kept: match[1] ?? '', pattern };
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
