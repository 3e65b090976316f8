import { ALL_MODES, defineTool, type PrecheckContext, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { FILE_ALIASES, FilePath } from '../arguments.ts';
import { describeChange, describeMerge, touchesOf, writeVersion } from './file-change.ts';
import { planChange } from './planned-change.ts';
import { isFolder, type RebasedWrite, rebase } from './stale-write.ts';

/** Bytes of UTF-8 (S000-45). */
const MAX_BYTES = 10 * 1024 * 1024;

export const writeFile = defineTool({
  name: 'write_file',
  aliases: ['file.write', 'file_write', 'write'],
  description:
    'Writes a whole text file of the workspace; missing directories are created. An existing file has to be read first, and the write is rejected when the file changed since. Prefer edit_file for small changes.',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'high',
  hints: { idempotent: true },
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  argAliases: FILE_ALIASES,
  args: z.strictObject({
    path: FilePath,
    content: z
      .string()
      .refine((text) => text.isWellFormed(), { error: 'Is not well-formed Unicode' })
      .refine((text) => Buffer.byteLength(text) <= MAX_BYTES, { error: 'Is longer than 10 MiB' })
      .describe('The whole new text, its final line feed included'),
    overwrite: z.boolean().default(true).describe('false: fail if the file exists'),
  }),
  output: z.string(),
  describe: ({ path }) => path,
  effects: ({ path }) => [{ kind: 'write', path, scope: 'file' }],
  async precheck({ path: given, content, overwrite }, context) {
    const path = context.files.normalise(given);
    if (!overwrite) return refuseExisting(path, context);
    await rebase(path, context, () => content);
  },
  plan: ({ path, content }, context) =>
    planChange(path, context, { deed: 'overwrite', after: () => ({ text: content }) }),
  async handle({ path: given, content, overwrite }, context) {
    const path = context.files.normalise(given);
    if (!overwrite) await refuseExisting(path, context);
    const rebased: RebasedWrite = overwrite
      ? await rebase(path, context, () => content)
      : { text: content, expected: 'absent' };
    const changed = await writeVersion({ path, ...rebased }, context);
    return {
      output: `${describeChange(changed, rebased.text)}${describeMerge(rebased)}`,
      files: touchesOf(changed, rebased.text),
    };
  },
});

async function refuseExisting(path: string, { files }: PrecheckContext): Promise<void> {
  const standing = await files.stat(path);
  if (standing === null) return;
  if (standing.kind === 'directory') throw isFolder(path);
  throw new ToolFailure({
    code: 'file-exists',
    category: 'InvalidParameters',
    message: `Cannot create "${path}": it exists, and overwrite is false. Nothing was written`,
    suggestion: 'Choose another path, or read the file and write it without overwrite: false',
  });
}
