import { type CommandId, type Failure, shortId } from '@signalbox/core';

/** Hints for models to ask their user, as worded for the user. */
const MODEL_HINTS: readonly (readonly [RegExp, string])[] = [
  [/, or ask your user to install it$/, ', or install it'],
  [/, or ask (?:your|the) user$/, ''],
  [/or ask the user to change/, 'or change'],
  [/or ask your user whether to make one with `git init`/, 'or make one: git init'],
  [/^Ask your user to add it in their terminal: /, 'Add it in your terminal: '],
  [/^Tell the user to run: /, 'Run: '],
  [/so that the user is asked/, 'so that you are asked'],
  [/leave the secret to the user/, 'change the secret in an editor'],
  [/^Look with list_directory or search_files, and/, 'Look with ls, and'],
  [/, or tell the user to free space$/, ', or free space'],
  [/^Do not try the same by other means; ask the user$/, 'See what was judged: signalbox status @last'],
  [/^Stop and tell the user: signalbox logs shows the cause$/, 'See the cause: signalbox logs'],
  [/^Do not repeat the call: it was executed\. Tell the user to report/, 'It was executed. Please report'],
  [/, or ask the user to allow the host$/, ', or allow the host: signalbox network'],
  [/^Stop, and tell the user to check the workspace and to start/, 'Check the workspace, then start'],
];

/**
 * The next step after a failure of the user's own line; a model would be told to ask its user. Undefined if the user
 * knows.
 */
export function nextForPerson(
  { code, message, suggestion }: Pick<Failure, 'code' | 'message' | 'suggestion'>,
  id?: CommandId,
): string | undefined {
  // They denied it themselves, or know who did.
  if (code === 'approval-refused') return undefined;
  if (code === 'approval-expired' && id !== undefined)
    return message.includes('signalbox approve')
      ? `signalbox approve ${shortId(id)}, then run the same line again: it uses your answer`
      : 'Run the line again, and answer in time';
  if (code === 'audit-unavailable') return 'Run: signalbox doctor';
  if (suggestion === 'Stop and tell the user')
    return id === undefined ? 'Run: signalbox policy explain' : `Run: signalbox policy explain ${id}`;
  return suggestion === undefined
    ? undefined
    : MODEL_HINTS.reduce((text, [from, to]) => text.replace(from, to), suggestion);
}
