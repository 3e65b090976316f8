/** What an awk program does beside printing to standard output. */
export type AwkScript = Readonly<{
  executes: boolean;
  /** Files written by a literal name. */
  writes: readonly string[];
  writesUnknown: boolean;
  /** Files read by a literal name with `getline`. */
  reads: readonly string[];
  /** Something that is not everyday awk: extensions, indirect calls, the environment. */
  unusual: boolean;
}>;

const TOKEN = /\s+|#[^\n]*|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d+|\|\||&&|>>|>=|[\s\S]/y;

/** After these a slash may begin a pattern, or divide. */
const MAY_BE_EITHER =
  /^(?:[)+-]|print|printf|return|in|else|do|case|exit|delete|getline|next|break|continue)$/;

const HARMFUL = /system|getline|\||>|@|ENVIRON|close/;

/** Parses an awk program far enough to tell whether it writes files or runs programs. Linear. */
export function readAwkScript(script: string): AwkScript {
  const found = {
    executes: false,
    writes: [] as string[],
    writesUnknown: false,
    reads: [] as string[],
    unusual: false,
  };
  let printing = false;
  let parentheses = 0;
  let redirect = false;
  let named = false;
  let before = '';
  let isAmbiguous = false;
  for (let at = 0; at < script.length;) {
    TOKEN.lastIndex = at;
    // Always found: its last alternative is any character.
    TOKEN.test(script);
    let token = script.slice(at, TOKEN.lastIndex);
    if (token === '/') {
      if (MAY_BE_EITHER.test(before)) isAmbiguous = true;
      if (!/^(?:[\w)\]$]|")/.test(before.slice(-1))) token = regexAt(script, at);
    }
    at += token.length;
    if (/^\s*$|^#/.test(token) && token !== '\n' && !token.includes('\n')) continue;
    // `print > "a" "b"`: a name in pieces.
    if (named && !/^[;})]$/.test(token) && !token.includes('\n')) found.writesUnknown = true;
    named = false;
    if (redirect) {
      redirect = false;
      named = token.startsWith('"') && !/\\/.test(token);
      if (named) found.writes.push(token.slice(1, -1));
      else found.writesUnknown = true;
    }
    if (token === 'print' || token === 'printf') {
      printing = true;
      parentheses = 0;
    } else if (token === ';' || token === '}' || token.includes('\n')) printing = false;
    else if (token === '(') parentheses += 1;
    else if (token === ')') parentheses -= 1;
    else if ((token === '>' || token === '>>') && printing && parentheses <= 0) redirect = true;
    else if (token === '|' || token === 'system') found.executes = true;
    else if (token === '@' || token === 'ENVIRON' || token === 'ARGV' || token === 'extension')
      found.unusual = true;
    if (before === '<' && token.startsWith('"')) found.reads.push(token.slice(1, -1));
    if (token === 'getline') found.unusual = true;
    before = token;
  }
  if (redirect) found.writesUnknown = true;
  // A token read as text or pattern may be a command: `print /"/; system("id"); print /"/`.
  if (isAmbiguous && HARMFUL.test(script)) found.executes = true;
  return found;
}

function regexAt(script: string, start: number): string {
  let at = start + 1;
  while (at < script.length && script[at] !== '/' && script[at] !== '\n') at += script[at] === '\\' ? 2 : 1;
  return script.slice(start, at + 1);
}
