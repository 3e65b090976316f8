/** Attempts at parsing one text: each reads it once. */
const MAX_TRIES = 6;
/** Of lines with an object each, such as `go test -json`. */
const MAX_LINES = 200_000;
/** Lines that only look like JSON: each costs more time than one that is. */
const MAX_FAILURES = 500;

/**
 * The JSON documents in what a program printed, between lines of others such as npm's: several with a line each, or one that
 * may span lines. A torn one is left out.
 */
export function jsonDocuments(text: string): readonly unknown[] {
  const lines = jsonLines(text);
  if (lines.length > 1) return lines;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const starts = text.matchAll(/^[{[]/gm);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = starts.next().value?.index;
    if (start === undefined) break;
    const whole = parseJson(text.slice(start, end));
    if (whole !== undefined) return [whole];
  }
  return lines;
}

/** Whether it is an object with one of these fields: most lines are no report, and a schema takes longer to say so. */
export function hasField(document: unknown, ...names: readonly string[]): boolean {
  return typeof document === 'object' && document !== null && names.some((name) => name in document);
}

/** Lines that are an object or a list each. */
function jsonLines(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let failures = 0;
  for (const line of text.split('\n', MAX_LINES)) {
    if (!/^[{[]/.test(line) || !/[}\]]\s?$/.test(line.slice(-2))) continue;
    const value = parseJson(line);
    if (value !== undefined) found.push(value);
    else if (++failures > MAX_FAILURES) return found;
  }
  return found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
