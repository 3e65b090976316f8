const LONGEST = 200;

/** Others' text as a part of one line: what it holds forges no line of ours and hides nothing. */
export function oneLine(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, longest * 2)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}
