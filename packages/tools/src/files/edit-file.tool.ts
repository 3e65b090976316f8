import { ALL_MODES, defineTool, type PrecheckContext, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { FILE_ALIASES, FilePath } from '../arguments.ts';
import { type Replacement, replaceExactly } from './exact-replacement.ts';
import { describeChange, describeMerge, touchesOf, writeVersion } from './file-change.ts';
import { planChange } from './planned-change.ts';
import { readVersion, type RebasedWrite, rebase } from './stale-write.ts';

const MAX_LINES_NAMED = 10;

export const editFile = defineTool({
  name: 'edit_file',
  aliases: ['file.edit', 'file_edit', 'edit'],
  description:
    'Replaces oldText by newText in a text file that you have read. oldText must occur exactly once, white space included, unless replaceAll is true. Rejected when the file changed since you read it.',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'high',
  allowedModes: ALL_MODES.filter((mode) => mode !== 'LOCKDOWN'),
  argAliases: FILE_ALIASES,
  args: z
    .strictObject({
      path: FilePath,
      oldText: z.string().min(1).describe('The text to replace, with enough context to be unique'),
      newText: z.string().describe('The replacement'),
      replaceAll: z.boolean().default(false).describe('true: replace every match'),
    })
    .refine(({ oldText, newText }) => oldText !== newText, { error: 'oldText and newText are the same' })
    .refine(({ oldText, newText }) => oldText.isWellFormed() && newText.isWellFormed(), {
      error: 'The texts are not well-formed Unicode',
    }),
  output: z.string(),
  describe: ({ path }) => path,
  effects: ({ path }) => [{ kind: 'write', path, scope: 'file' }],
  async precheck(args, context) {
    await replaced(args, context);
  },
  plan: ({ path, oldText, newText, replaceAll }, context) =>
    planChange(path, context, {
      deed: 'edit',
      after(before) {
        if (before === null) return 'the file does not exist';
        const replacement = replaceExactly(before, { oldText, newText, all: replaceAll });
        if (replacement.kind === 'replaced') return replacement;
        return replacement.kind === 'no-match'
          ? 'the old text is not in the file'
          : 'the old text is in the file more than once';
      },
    }),
  async handle(args, context) {
    const { path, count, ...rebased } = await replaced(args, context);
    const changed = await writeVersion({ path, ...rebased }, context);
    const matches = count === 1 ? '1 match' : `${count} matches`;
    return {
      output: `${describeChange(changed, rebased.text)}, ${matches} replaced${describeMerge(rebased)}`,
      files: touchesOf(changed, rebased.text),
    };
  },
});

/** The whole new text, if the file is the one the session read and contains oldText. */
async function replaced(
  {
    path: given,
    oldText,
    newText,
    replaceAll,
  }: Readonly<{ path: string; oldText: string; newText: string; replaceAll: boolean }>,
  context: PrecheckContext,
): Promise<RebasedWrite & { path: string; count: number }> {
  const path = context.files.normalise(given);
  await readVersion(path, context);
  let count = 0;
  const rebased = await rebase(path, context, (read) => {
    const replacement = replaceExactly(read ?? '', { oldText, newText, all: replaceAll });
    if (replacement.kind !== 'replaced') throw notReplaced(path, replacement);
    count = replacement.count;
    return replacement.text;
  });
  return { ...rebased, path, count };
}

function notReplaced(
  path: string,
  replacement: Exclude<Replacement, { readonly kind: 'replaced' }>,
): ToolFailure {
  if (replacement.kind === 'no-match') {
    return new ToolFailure({
      code: 'no-match',
      category: 'InvalidParameters',
      message: `Cannot edit "${path}": oldText does not occur in it. Nothing was written`,
      suggestion: 'Copy oldText exactly from what read_file shows',
      why: replacement.nearMisses,
    });
  }
  const { lines } = replacement;
  const more = lines.length > MAX_LINES_NAMED ? ' …' : '';
  return new ToolFailure({
    code: 'many-matches',
    category: 'InvalidParameters',
    message: `Cannot edit "${path}": oldText occurs in it ${lines.length} times. Nothing was written`,
    suggestion: 'Add the lines around the one you mean to oldText, or set replaceAll to true',
    why: [`At lines ${lines.slice(0, MAX_LINES_NAMED).join(', ')}${more}`],
  });
}
