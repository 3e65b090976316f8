import { relative, resolve } from 'node:path';
import type { Context } from '../../runtime/contract/context.ts';

/** A path that the user gave, relative to the workspace; for a server elsewhere it is passed as given. */
export function pathInWorkspace(
  path: string,
  { cwd, directory, flags }: Pick<Context, 'cwd' | 'directory' | 'flags'>,
): string {
  return flags.server === undefined ? relative(directory, resolve(cwd, path)) : path;
}

/** The `cwd` of the user's line: their folder; undefined for the workspace itself. */
export function cwdInWorkspace(context: Pick<Context, 'cwd' | 'directory' | 'flags'>): {
  readonly cwd?: string;
} {
  if (context.flags.server !== undefined || context.cwd === context.directory) return {};
  return { cwd: relative(context.directory, context.cwd) };
}
