import { ToolFailure } from '@signalbox/core';

/**
 * Appends operands to a shell line of the workspace, each quoted so that the shell takes it literally.
 *
 * @param given.flags Those of the line's program that make it write a report.
 * @throws {ToolFailure} `not-configured` when the workspace has no such line
 */
export function workspaceLine(
  key: 'tests' | 'lint',
  { line, flags = '', operands }: { line: string | null; flags?: string; operands: readonly string[] },
): string {
  if (line === null || line.trim() === '') throw notConfigured(key);
  return [line, ...(flags === '' ? [] : [flags]), ...operands.map(quote)].join(' ');
}

/** Where a line starts; nothing for the workspace itself. */
export function folderOf(cwd: string | undefined): { readonly cwd?: string } {
  return cwd === undefined ? {} : { cwd };
}

/** Quotes any text as one word of a POSIX shell (XCU 2.2.2). */
export function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function notConfigured(key: 'tests' | 'lint'): ToolFailure {
  const [what, example] = key === 'tests' ? ['tests', 'npm test'] : ['the linter', 'npm run lint'];
  return new ToolFailure({
    code: 'not-configured',
    category: 'PermanentFailure',
    message: `Cannot run ${what}: no command is set in signalbox.yaml`,
    suggestion: `Ask a person to add a line such as "${key}: ${example}" to signalbox.yaml, or run it with bash`,
  });
}
