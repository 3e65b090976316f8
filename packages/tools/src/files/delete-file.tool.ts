import { ALL_MODES, defineTool } from '@signalbox/core';
import * as z from 'zod';
import { FILE_ALIASES, FilePath } from '../arguments.ts';
import { describeChange, touchesOf } from './file-change.ts';
import { changeUnlessStale, currentVersion, readVersion } from './stale-write.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  aliases: ['file.delete', 'file_delete', 'delete'],
  description:
    'Deletes a text file of the workspace that you have read, or an empty directory. Rejected when the file changed since you read it.',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'high',
  hints: { idempotent: true },
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  argAliases: FILE_ALIASES,
  args: z.strictObject({ path: FilePath }),
  output: z.string(),
  describe: ({ path }) => path,
  effects: ({ path }) => [{ kind: 'delete', path, scope: 'file' }],
  async precheck({ path: given }, context) {
    const path = context.files.normalise(given);
    if ((await context.files.stat(path))?.kind === 'directory') return;
    await currentVersion(path, context);
  },
  async handle({ path: given }, context) {
    const path = context.files.normalise(given);
    if ((await context.files.stat(path))?.kind === 'directory') {
      const removed = await context.files.remove(path, 'directory');
      return {
        output: `${removed.path}: deleted, it was an empty directory`,
        files: touchesOf(removed, null),
      };
    }
    const expected = await readVersion(path, context);
    const changed = await changeUnlessStale(context, () => context.files.remove(path, expected));
    context.readHashes.note(changed.path, { hash: null, text: null });
    return { output: describeChange(changed, null), files: touchesOf(changed, null) };
  },
});
