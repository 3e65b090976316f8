import * as z from 'zod';

/** A path as models write it: relative to the workspace, or absolute and inside it. */
export const FilePath = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), { error: 'A path holds no NUL' })
  .describe('Path relative to the workspace, or absolute and inside it');

/**
 * Text that becomes one argument of a program without being an option of it: what begins with `-` is
 * refused here, and the programs are told where their options end besides.
 */
export const Operand = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.startsWith('-'), { error: 'May not begin with "-": it would be read as an option' })
  .refine((text) => !text.includes('\0'), { error: 'May hold no NUL' });
