/** An argument of a call: texts, and lists of them at any depth. */
export type StarlarkValue = string | readonly StarlarkValue[];

export type StarlarkCall = {
  readonly name: string;
  /** The call as written, on one line, cut. */
  readonly source: string;
  /** By keyword; undefined when a value is neither a text nor a list. */
  readonly values: Readonly<Record<string, StarlarkValue>> | undefined;
};

const NAME = /[A-Za-z_]\w*/y;
const BLANK = /(?:\s|#[^\n]*|\\\n)*/y;
const TEXT = /"""[^]*?"""|'''[^]*?'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/y;

/** Reads the calls `name(key = value, …)` of a file in Starlark; nothing is run. */
export function readCalls(text: string): readonly StarlarkCall[] {
  const calls: StarlarkCall[] = [];
  let at = 0;
  while (at < text.length) {
    skipBlank();
    const start = at;
    const name = take(NAME);
    skipBlank();
    if (name === undefined || text[at] !== '(') {
      at = Math.max(at, start + 1);
      continue;
    }
    const end = closing(at);
    const values = readArguments(end);
    at = end + 1;
    const source = text.slice(start, at).replaceAll(/\s+/g, ' ');
    calls.push({ name, source: source.length > 100 ? `${source.slice(0, 99)}…` : source, values });
  }
  return calls;

  function readArguments(end: number): Record<string, StarlarkValue> | undefined {
    at += 1;
    const values: Record<string, StarlarkValue> = {};
    for (;;) {
      skipBlank();
      if (at >= end) return values;
      const key = take(NAME);
      skipBlank();
      if (key === undefined || text[at] !== '=') return undefined;
      at += 1;
      const value = readValue(end);
      if (value === undefined) return undefined;
      values[key] = value;
      skipBlank();
      if (text[at] === ',') at += 1;
      else if (at < end) return undefined;
    }
  }

  function readValue(end: number): StarlarkValue | undefined {
    skipBlank();
    if (text[at] !== '[') {
      const written = take(TEXT);
      return written === undefined ? undefined : unquote(written);
    }
    at += 1;
    const items: StarlarkValue[] = [];
    for (;;) {
      skipBlank();
      if (at >= end) return undefined;
      if (text[at] === ']') {
        at += 1;
        return items;
      }
      const item = readValue(end);
      if (item === undefined) return undefined;
      items.push(item);
      skipBlank();
      if (text[at] === ',') at += 1;
      else if (text[at] !== ']') return undefined;
    }
  }

  /** Position of the closing bracket; texts and comments are skipped. */
  function closing(open: number): number {
    let depth = 0;
    let here = open;
    while (here < text.length) {
      TEXT.lastIndex = here;
      const written = TEXT.exec(text)?.[0];
      if (written !== undefined) here += written.length;
      else if (text[here] === '#') here = lineEnd(here);
      else {
        if (text[here] === '(') depth += 1;
        if (text[here] === ')') depth -= 1;
        if (depth === 0) return here;
        here += 1;
      }
    }
    return text.length;
  }

  function lineEnd(from: number): number {
    const end = text.indexOf('\n', from);
    return end < 0 ? text.length : end;
  }

  function skipBlank(): void {
    take(BLANK);
  }

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquote(written: string): string {
  const width = /^("""|''')/.test(written) ? 3 : 1;
  return written
    .slice(width, -width)
    .replaceAll(/\\([^])/g, (_whole, character: string) => ESCAPES[character] ?? character);
}
