import * as z from 'zod';

/** Hex SHA-256 of a file's bytes. */
export const ContentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'ContentHash'>();
export type ContentHash = z.infer<typeof ContentHash>;

/** One file that a command read or changed (S000-30, G6). */
export const FileTouch = z
  .strictObject({
    path: z.string(),
    kind: z.enum(['read', 'created', 'modified', 'deleted']),
    /** Hash of what was read, or of the content afterwards; null when deleted. */
    hash: ContentHash.nullable(),
    linesAdded: z.int().min(0).optional(),
    linesRemoved: z.int().min(0).optional(),
    /** Size of what a transaction would commit; absent after the commit. */
    bytes: z.int().min(0).optional(),
    /** Why it needs approval, whatever the call was: it says which code git runs. */
    asks: z.string().optional(),
  })
  .readonly();
export type FileTouch = z.infer<typeof FileTouch>;

/** Subject of a commit of these files without a single task: `Change src/cart.ts`, `Change 3 files`. */
export function commitSubject(paths: readonly string[]): string {
  return paths.length === 1 ? `Change ${paths[0] ?? ''}` : `Change ${paths.length} files`;
}
