import type { SimpleCommand } from '../rules/simple-command.ts';
import { below } from './below.ts';

/** The folder after `cd`, relative to the workspace; null when it is known only at run time. */
export function afterCd({ args }: Pick<SimpleCommand, 'args'>, folder: string | null): string | null {
  const [path, ...more] = args;
  if (folder === null || typeof path !== 'string' || more.length > 0 || path.startsWith('-')) return null;
  return below(folder, path);
}
