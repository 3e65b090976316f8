/**
 * Whether a shell pattern matches a path, segment by segment: `*`, `?` and brackets, no extended forms.
 *
 * Errs on the side of matching: a bracket matches any character. Time is linear in pattern × path.
 */
export function globMatches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    given.every((segment, at) => segmentMatches(simplify(String(wanted[at])), segment))
  );
}

/** Includes classes, `[[:punct:]]`, and a `]` at its beginning, which does not close it. */
const BRACKET = /\[[!^]?\]?(?:\[[:.=][^\]]{0,32}[:.=]\]|[^\]])*(?:\]|$)/g;

/** Every bracket or extended group becomes a wildcard, an unclosed one too. */
function simplify(segment: string): string {
  return segment
    .replaceAll(/[?*+@!]\([^)]*(?:\)|$)/g, '*')
    .replaceAll(BRACKET, (bracket) => (bracket.endsWith(']') ? '?' : '*'));
}

function segmentMatches(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let at = 0;
  let star = -1;
  let mark = 0;
  let p = 0;
  while (at < name.length) {
    const wanted = pattern[p];
    if (wanted === '*') {
      star = p;
      mark = at;
      p += 1;
    } else if (wanted === '?' || wanted === name[at]) {
      p += 1;
      at += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
