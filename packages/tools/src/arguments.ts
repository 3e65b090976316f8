import { type ArgAlias, nameMeant } from '@signalbox/core';
import * as z from 'zod';

/** A path as models write it: relative to the workspace, or absolute and inside it. */
export const FilePath = z
  .string()
  .min(1)
  .max(4096)
  // Undoes the escapes list_directory and others use for invisible characters.
  .overwrite(nameMeant)
  .refine((path) => !path.includes('\0'), { error: 'A path holds no NUL' })
  .describe('Path relative to the workspace, or absolute and inside it');

/** Names models use elsewhere for a path and the texts of an edit. */
export const FILE_ALIASES: Readonly<Record<string, ArgAlias>> = {
  file_path: { name: 'path' },
  filename: { name: 'path' },
  file: { name: 'path' },
  old_string: { name: 'oldText' },
  new_string: { name: 'newText' },
};

/**
 * Text that becomes one argument of a program and never an option: a leading `-` is rejected here, and programs
 * also get an end-of-options marker.
 */
export const Operand = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.startsWith('-'), { error: 'May not begin with "-": it would be read as an option' })
  .refine((text) => !text.includes('\0'), { error: 'May hold no NUL' });
