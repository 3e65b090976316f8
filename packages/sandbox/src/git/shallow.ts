const HIDES =
  'it hides the history before a commit (shallow): run git fetch or git pull as a separate line, not in a script';

/** Why the file `shallow` is rejected: git hides the parents of commits it lists. Null if it lists no new ones. */
export function whyNotShallow(text: string | null, before: string | null): string | null {
  if (text === null) return HIDES;
  const named = new Set((before ?? '').split('\n'));
  return text.split('\n').every((row) => row === '' || named.has(row)) ? null : HIDES;
}
