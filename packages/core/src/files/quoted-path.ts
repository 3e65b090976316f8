/** Includes quotes and backslashes, as git does. */
// oxlint-disable-next-line no-control-regex -- these are what is quoted
const NEEDS_QUOTES = /[\u0000-\u001F\u007F"\\]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

/**
 * A name as git writes it in the head of a patch: `"b/a\033[2J\nc"`, so that no name can look like a row of its own.
 */
export function quotedPath(path: string): string {
  if (path.search(NEEDS_QUOTES) < 0) return path;
  const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replaceAll(NEEDS_QUOTES, (character) => ESCAPES[character] ?? octal(character))}"`;
}
