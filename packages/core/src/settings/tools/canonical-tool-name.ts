import * as z from 'zod';

/** The specifications' other spellings of the tools they share (X-23). */
const SPELLINGS: Readonly<Record<string, string>> = {
  read: 'read_file',
  file_read: 'read_file',
  write: 'write_file',
  file_write: 'write_file',
  edit: 'edit_file',
  file_edit: 'edit_file',
  delete: 'delete_file',
  file_delete: 'delete_file',
  list_files: 'list_directory',
  ls: 'list_directory',
  web_fetch: 'fetch_url',
  shell: 'bash',
};

/** The one name of a tool, from any spelling of a specification: `file.write` → `write_file`. */
export function canonicalToolName(name: string): string {
  const snake = name.replaceAll('.', '_');
  return Object.hasOwn(SPELLINGS, snake) ? (SPELLINGS[snake] ?? snake) : snake;
}

/** An edit is a write: `edit_file` inherits the settings of `write_file`, unless it is named itself. */
export const GOES_BY: Readonly<Record<string, string>> = { edit_file: 'write_file' };

/** A tool in a list of settings, in any spelling; a `*` at the end matches every tool with that prefix: `git.*`. */
export const ToolPattern = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,63}\*?$/, {
    error: 'must be the name of a tool such as write_file, or a prefix and a star such as git_*',
  })
  .transform(canonicalToolName);

/** Whether a pattern of a list matches the tool of that name. */
export function matchesTool(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
