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
    /** Of what was read, or of what stands there afterwards; null when deleted. */
    hash: ContentHash.nullable(),
    linesAdded: z.int().min(0).optional(),
    linesRemoved: z.int().min(0).optional(),
    /** Of what a transaction would put; absent of what it has put. */
    bytes: z.int().min(0).optional(),
    /** Why a person has to agree to it, whatever its call was: it says which code git runs. */
    asks: z.string().optional(),
  })
  .readonly();
export type FileTouch = z.infer<typeof FileTouch>;

/** What a commit of these files is called where no one task says it: `Change src/cart.ts`, `Change 3 files`. */
export function commitSubject(paths: readonly string[]): string {
  return paths.length === 1 ? `Change ${paths[0] ?? ''}` : `Change ${paths.length} files`;
}
