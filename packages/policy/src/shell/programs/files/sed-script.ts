/** What a sed script does beside printing. */
export type SedScript = Readonly<{
  /** Every command of it was understood. */
  understood: boolean;
  executes: boolean;
  writes: readonly string[];
  reads: readonly string[];
}>;

/** Parses a sed script far enough to tell whether it writes files or runs programs. Linear. */
export function readSedScript(script: string): SedScript {
  const plain = readAs(script, false);
  if (!script.includes('[')) return plain;
  // Not every sed reads the slash of `[/]` as a part of the pattern: the effects of both readings count.
  const bracketed = readAs(script, true);
  return {
    understood: plain.understood && bracketed.understood,
    executes: plain.executes || bracketed.executes,
    writes: [...plain.writes, ...bracketed.writes],
    reads: [...plain.reads, ...bracketed.reads],
  };
}

function readAs(script: string, bracketed: boolean): SedScript {
  const found = { understood: true, executes: false, writes: [] as string[], reads: [] as string[] };
  let at = 0;

  function skip(pattern: RegExp): string {
    pattern.lastIndex = at;
    const text = pattern.exec(script)?.[0] ?? '';
    at += text.length;
    return text;
  }

  function skipTo(delimiter: string): boolean {
    while (at < script.length && script[at] !== delimiter) at += script[at] === '\\' ? 2 : 1;
    at += 1;
    return at <= script.length;
  }

  /** From `[` to its closing `]`; a `]` at the beginning is literal. Linear. */
  function skipBracket(): void {
    skip(/\[\^?\]?/y);
    while (at < script.length && script[at] !== ']') {
      if (skip(/\[(?::[a-z]{0,12}:|\.[a-z]{0,12}\.|=[a-z]{0,12}=)\]/y) === '') at += 1;
    }
    at += 1;
  }

  function skipPattern(delimiter: string): boolean {
    while (at < script.length && script[at] !== delimiter) {
      if (bracketed && script[at] === '[') skipBracket();
      else at += script[at] === '\\' ? 2 : 1;
    }
    at += 1;
    return at <= script.length;
  }

  function address(): void {
    if (script[at] === '/') {
      at += 1;
      skipPattern('/');
    } else if (script[at] === '\\') {
      const delimiter = script.charAt(at + 1);
      at += 2;
      skipPattern(delimiter);
    } else skip(/\d+|\$/y);
    skip(/[IM]*/y);
    skip(/[~+]\d+/y);
  }

  function substitute(flags: boolean): boolean {
    const delimiter = script.charAt(at);
    at += 1;
    if (!skipPattern(delimiter) || !skipTo(delimiter)) return false;
    if (!flags) return true;
    const given = skip(/[gpiImM0-9e]*/y);
    if (given.includes('e')) found.executes = true;
    if (script[at] === 'w') {
      at += 1;
      found.writes.push(skip(/[^\n]*/y).trim());
    }
    return true;
  }

  function command(name: string): boolean {
    if ('{}=dDgGhHnNpPxFz'.includes(name)) return true;
    if ('qQlL'.includes(name)) return skip(/\s*\d*/y) !== undefined;
    if ('btT:'.includes(name)) return skip(/[^;\n}]*/y) !== undefined;
    if ('aic'.includes(name)) return skip(/(?:\\\n|[^\n])*/y) !== undefined;
    if ('rR'.includes(name)) return found.reads.push(skip(/[^\n]*/y).trim()) > 0;
    if ('wW'.includes(name)) return found.writes.push(skip(/[^\n]*/y).trim()) > 0;
    if (name === 's' || name === 'y') return substitute(name === 's');
    if (name === 'e') found.executes = true;
    return false;
  }

  while (at < script.length) {
    skip(/[\s;]+/y);
    if (at >= script.length) break;
    if (script[at] === '#') {
      skip(/[^\n]*/y);
      continue;
    }
    address();
    skip(/\s*/y);
    if (script[at] === ',') {
      at += 1;
      skip(/\s*/y);
      address();
    }
    skip(/[\s!]*/y);
    const name = script.charAt(at);
    at += 1;
    if (name === '' || !command(name)) {
      found.understood = false;
      break;
    }
  }
  return found;
}
