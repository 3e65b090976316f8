import { LONGEST_START, type SecretPattern } from './security-patterns.ts';

export type RedactionStream = {
  /** Text that can be shown by now: all but a tail that may be the beginning of a secret. */
  push(text: string): string;
  /** The rest. Nothing may be pushed afterwards. */
  end(): string;
};

/** Processed characters that stay in the buffer for look-behinds and for the end mark of a key block. */
const CONTEXT = 128;

/**
 * Replaces what the patterns match by `[redacted:name]`; the chunking of the text makes no difference.
 *
 * The buffer is the context, then the unprocessed text. Inside a secret everything is dropped as it comes. Outside,
 * text before the last line break is complete, since no `start` crosses one; in a line without end, all but its last
 * `holdBack` characters are.
 */
export function createRedactionStage(
  patterns: readonly SecretPattern[],
  holdBack = LONGEST_START,
): RedactionStream {
  let buffer = '';
  let position = 0;
  let inside: { pattern: SecretPattern; since: number } | undefined;

  return {
    push(text) {
      buffer += text;
      const safe = safeEnd();
      return safe > position ? advance(safe, false) : '';
    },
    end: () => advance(buffer.length, true),
  };

  /** How far matches may begin. A long line is processed in pieces, so that tiny chunks don't cost a search each. */
  function safeEnd(): number {
    if (inside !== undefined) return buffer.length;
    const line = Math.max(buffer.lastIndexOf('\n'), buffer.lastIndexOf('\r')) + 1;
    const isLong = buffer.length - Math.max(line, position) > 2 * holdBack;
    const safe = isLong ? buffer.length - holdBack : line;
    return isHighSurrogate(buffer, safe - 1) ? safe - 1 : safe;
  }

  function advance(safe: number, isLast: boolean): string {
    let shown = '';
    const next = createSearch(patterns, buffer);
    while (position < safe) {
      if (inside !== undefined) {
        skip(inside, isLast);
        if (inside === undefined && !isLast) safe = Math.max(position, safeEnd());
        continue;
      }
      const found = next(position);
      if (found === undefined || found.index >= safe) {
        shown += buffer.slice(position, safe);
        position = safe;
      } else {
        shown += `${buffer.slice(position, found.index)}${found.kept}[redacted:${found.pattern.name}]`;
        position = found.end;
        inside = { pattern: found.pattern, since: position };
        skip(inside, isLast);
      }
    }
    const forgotten = Math.max(0, position - CONTEXT);
    buffer = buffer.slice(forgotten);
    position -= forgotten;
    if (inside !== undefined) inside.since = Math.max(0, inside.since - forgotten);
    return shown;
  }

  /** Drops the continuation of the secret, and stops at its end. */
  function skip({ pattern, since }: { pattern: SecretPattern; since: number }, isLast: boolean): void {
    pattern.rest.lastIndex = position;
    const runEnd = position + (pattern.rest.exec(buffer)?.[0].length ?? 0);
    const stop = pattern.until === undefined ? undefined : endOfMark(pattern.until, { since, runEnd });
    if (stop !== undefined || runEnd < buffer.length || isLast) inside = undefined;
    position = stop ?? runEnd;
  }

  function endOfMark(
    until: RegExp,
    { since, runEnd }: Readonly<{ since: number; runEnd: number }>,
  ): number | undefined {
    until.lastIndex = Math.max(since, position - CONTEXT);
    const mark = until.exec(buffer);
    const end = mark === null ? undefined : mark.index + mark[0].length;
    return end !== undefined && end <= runEnd ? end : undefined;
  }
}

type Found = {
  readonly index: number;
  readonly end: number;
  readonly kept: string;
  readonly pattern: SecretPattern;
};

/** Finds the next match of any pattern; each pattern reads the text once. */
function createSearch(patterns: readonly SecretPattern[], text: string): (from: number) => Found | undefined {
  const ahead = new Map<SecretPattern, Found | 'none'>();
  return (from) => {
    let first: Found | undefined;
    for (const pattern of patterns) {
      let found = ahead.get(pattern);
      if (found === undefined || (found !== 'none' && found.index < from)) {
        found = search(pattern, text, { from }) ?? 'none';
        ahead.set(pattern, found);
      }
      if (found !== 'none' && (first === undefined || found.index < first.index)) first = found;
    }
    return first;
  };
}

function search(
  pattern: SecretPattern,
  text: string,
  { from }: Readonly<{ from: number }>,
): Found | undefined {
  pattern.start.lastIndex = from;
  const match = pattern.start.exec(text);
  if (match === null) return undefined;
  return { index: match.index, end: match.index + match[0].length, kept: match[1] ?? '', pattern };
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
