import { type CommandId, hunkHead, type ToolAnswer, type ToolContext, ToolFailure } from '@signalbox/core';
import { applyPatch, reversePatch, structuredPatch } from 'diff';
import { touchesOf, writeVersion } from './file-change.ts';

/** The same as in the diff shown to the user. */
const CONTEXT_LINES = 3;
const MAX_DIFF_MS = 500;

/**
 * Undoes one hunk of a file, wherever its lines are now. Other changes in the file are kept.
 *
 * @param of.hunk Its header, `@@ -3,4 +3,6 @@`.
 * @throws {ToolFailure} `undo-conflict` when its lines or their context have changed since
 */
export async function undoHunk(
  { command, path, hunk }: { readonly command: CommandId; readonly path: string; readonly hunk: string },
  context: ToolContext,
): Promise<ToolAnswer> {
  const { files } = context;
  const change = (await files.changesOf(command))?.find((one) => one.path === path);
  const patch = change === undefined ? undefined : patchOf(change);
  const found = patch?.hunks.find((one) => hunkHead(one) === hunk);
  if (patch === undefined || found === undefined) {
    throw refusal(
      'nothing-to-undo',
      `Cannot undo ${hunk} of ${path}: ${command} made no such change to its text`,
    );
  }
  const { text: current, hash } = await files.readText(path);
  const text = applyPatch(current, reversePatch({ ...patch, hunks: [found] }), { fuzzFactor: 0 });
  if (text === false) {
    throw refusal('undo-conflict', `Cannot undo: these lines of ${path} have changed since`);
  }
  const changed = await writeVersion({ path, text, expected: hash }, context);
  return { output: `${command}: ${hunk} of ${path} undone`, files: touchesOf(changed, text) };
}

type KeptChange = NonNullable<Awaited<ReturnType<ToolContext['files']['changesOf']>>>[number];

function patchOf({ before, after }: KeptChange) {
  if (before.kind !== 'text' || after.kind !== 'text') return undefined;
  return structuredPatch('', '', before.text, after.text, '', '', {
    context: CONTEXT_LINES,
    timeout: MAX_DIFF_MS,
  });
}

function refusal(code: string, message: string): ToolFailure {
  return new ToolFailure({ code, category: 'PermanentFailure', message });
}
