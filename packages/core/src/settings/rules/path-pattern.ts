import * as z from 'zod';

/**
 * A path of settings: a plain one means itself and all below it (`src`, `package.json`), one with `*`, `?`, `[]` or
 * `{}` is a glob, segment by segment, `**` for any number of them. Relative to the workspace, absolute, or from `$HOME`
 * or `~`. `*.md` means the top of the workspace; `**` and a slash before it any depth.
 */
export const PathPattern = z
  .string()
  .min(1)
  .max(1024)
  .refine((pattern) => !pattern.includes('\0') && !pattern.startsWith('!'), {
    error: 'must be a path or a glob; "!" has no meaning here, list what is denied under the deny key',
  });

export function isGlob(pattern: string): boolean {
  return /[*?[\]{}]/.test(pattern);
}
