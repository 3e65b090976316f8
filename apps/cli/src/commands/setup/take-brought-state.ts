import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { askYes } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { readStateFile } from '../../runtime/workspace/state-file.ts';
import { takeOverState, isBroughtState, STATE_FOLDER } from '../../runtime/workspace/state-folder.ts';

/** What of each takes effect once the folder is the user's; the rest is shown only by name. */
const BRINGS: Readonly<Record<string, string>> = {
  'state.db': 'records, pending approvals, access tokens, unfinished commands',
  'redis.json': 'the address of the Redis that stores the state',
  commits: 'copies for undo',
  'connected.json': 'what connect --undo removes',
  'audit.jsonl': 'the audit log',
};
const MAX_NAMES = 20;

/**
 * Shows a `.signalbox` that was not made here, from an earlier version, a backup or a copy, and asks the user to accept
 * it. False if they don't.
 *
 * @throws {UnavailableError} `state-unsafe` for one with links, of another account, or tracked by git
 */
export async function takeBroughtState(
  { isAgreed }: { readonly isAgreed: boolean },
  context: Context,
): Promise<boolean> {
  const { directory } = context;
  if (!isBroughtState(directory)) return true;
  const folder = join(directory, STATE_FOLDER);
  const names = readdirSync(folder).toSorted();
  const redis = readStateFile(join(folder, 'redis.json'));
  context.tell([
    line(
      as('warn', `${STATE_FOLDER} was not made here`),
      muted(': an earlier version made it, or it was cloned, unpacked or copied'),
    ),
    ...names.slice(0, MAX_NAMES).map((name) => line('  ', name, muted(`  ${BRINGS[name] ?? ''}`))),
    ...(names.length > MAX_NAMES ? [line(muted(`  and ${names.length - MAX_NAMES} more`))] : []),
    ...(redis === null ? [] : [line('  redis.json: ', as('warn', withoutPassword(redis).slice(0, 500)))]),
  ]);
  if (!isAgreed && !(await askYes('Is it yours, and may all of it take effect?', context))) {
    context.answer({
      json: () => ({ file: STATE_FOLDER, confirmed: false }),
      lines: () => [line(muted('Nothing in it is used.'))],
    });
    return false;
  }
  takeOverState(directory);
  context.tell([line(`Confirmed: ${STATE_FOLDER} takes full effect`)]);
  return true;
}

function withoutPassword(text: string): string {
  return text.replaceAll(/\/\/[^@/]*@/g, '//…@');
}
