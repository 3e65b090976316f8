/** Start of every line of the audit log. */
const START = '{"ts":"';

/** Possible completions of a text that ends inside a string: its quote, or the rest of an escape before it. */
const STRING_ENDS = ['"', 'n"', '0"', '00"', '000"', '0000"'];
/** The same outside of strings: a value, a member, a colon and a value, the rest of `true`, `false`, `null`. */
const VALUE_ENDS = ['', '0', '"":0', ':0', 'e', 'ue', 'rue', 'se', 'lse', 'alse', 'l', 'll', 'ull'];

/**
 * Whether these bytes can be the remains of an audit line after a crash: a proper prefix of its JSON.
 *
 * Linear: each of a few completions is tried, and one of them must be JSON.
 */
export function isTornLine(bytes: Buffer): boolean {
  // Bytes beyond ASCII occur only inside strings. In latin1 each is one character, so a truncated one is harmless.
  const text = bytes.toString('latin1');
  if (text.length <= START.length) return text !== '' && START.startsWith(text);
  if (!text.startsWith(START)) return false;
  const { brackets, inString } = openIn(text);
  if (brackets === '') return false;
  const ends = inString ? STRING_ENDS.flatMap((end) => [end, `${end}:0`]) : VALUE_ENDS;
  return ends.some((end) => isJson(`${text}${end}${brackets}`));
}

/** The brackets that are open at the end, as their closing text. */
function openIn(text: string): { readonly brackets: string; readonly inString: boolean } {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') inString = !inString;
    else if (inString) at += sign === '\\' ? 1 : 0;
    else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if (sign === '}' || sign === ']') open.pop();
  }
  return { brackets: open.toReversed().join(''), inString };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
