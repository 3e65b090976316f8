import { branchMove } from '@signalbox/sandbox';
import { namedServer } from '../../client/named-server.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, type Line, line } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';
import type { Undoable } from './commands-to-undo.ts';
import { commitRows, inOwnRepository } from './later-commits.ts';

type UndoneMove = Readonly<{ branch: string }> & Awaited<ReturnType<typeof branchMove>>;

/** As results contain it: `refs/heads/main 1a2b3c4d5e6f → 0f1e2d3c4b5a`, or from `none`. */
const MOVED = /^refs\/heads\/(\S+) (none|[0-9a-f]{12}) → ([0-9a-f]{12})$/;
/** Files per row. */
const MAX_NAMED = 10;

/**
 * The effect of an undo on commits: `takes 1 commit off main:` and each of them, what is restored, and the files whose
 * changes are uncommitted again. Empty for a workspace elsewhere, or if git fails.
 */
export async function undoneCommitLines(
  { record, changes, isRest }: Undoable,
  context: Context,
): Promise<readonly Line[]> {
  const moves = (record.result?.git ?? []).flatMap((text) => {
    const [, branch, from, to] = MOVED.exec(text) ?? [];
    return branch === undefined || from === undefined || to === undefined
      ? []
      : [{ branch, from: from === 'none' ? null : from, to }];
  });
  // After a partial undo, git's own files are not restored with the rest.
  if (isRest || moves.length === 0 || namedServer(context.flags, context) !== null) return [];
  const found = await inOwnRepository(context, async (options) =>
    Promise.all(moves.map(async (move) => ({ branch: move.branch, ...(await branchMove(move, options)) }))),
  );
  const undone = new Set(changes.map(({ path }) => path));
  return (found ?? []).flatMap((move) => moveLines(move, undone));
}

function moveLines(
  { branch, gained, lost, paths, isCheckedOut }: UndoneMove,
  undone: ReadonlySet<string>,
): readonly Line[] {
  const again = gained.count > 0 && isCheckedOut ? paths.filter((path) => !undone.has(path)) : [];
  const more = again.length - MAX_NAMED;
  return [
    ...(gained.count === 0
      ? []
      : [
          line('  ', as('warn', `takes ${plural(gained.count, 'commit')} off ${branch}:`)),
          ...commitRows(gained),
        ]),
    ...(lost.count === 0
      ? []
      : [line(`  puts ${plural(lost.count, 'commit')} back on ${branch}:`), ...commitRows(lost)]),
    ...(again.length === 0
      ? []
      : [
          line(
            `  uncommitted again: ${again.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
          ),
        ]),
  ];
}
