import { relative, resolve } from 'node:path';
import type { Context } from '../runtime/contract/context.ts';

/** A path that a person gave where they stand, as the workspace names it; of a server elsewhere it is meant as given. */
export function pathInWorkspace(
  path: string,
  { cwd, directory, flags }: Pick<Context, 'cwd' | 'directory' | 'flags'>,
): string {
  return flags.server === undefined ? relative(directory, resolve(cwd, path)) : path;
}

/** The `cwd` of a line that a person gave: the folder where they stand; none for the workspace itself. */
export function cwdInWorkspace(context: Pick<Context, 'cwd' | 'directory' | 'flags'>): {
  readonly cwd?: string;
} {
  if (context.flags.server !== undefined || context.cwd === context.directory) return {};
  return { cwd: relative(context.directory, context.cwd) };
}
