import type * as ast from 'unbash';
import { leaves } from './compound.ts';
import { followLinks } from './links.ts';
import { isInOwnFolder } from './own-folders.ts';
import { locate } from './paths.ts';
import type { EvaluationContext } from './program.ts';

type Node = ast.Statement['command'];

/**
 * `cd /tmp/a; touch b`: where there is no such folder the shell stays where it was, and that may be the workspace.
 *
 * Whoever says `cd web` in the workspace means what is there; a folder of the line's own holds only what the line has
 * made. Where `||` leaves else, who comes after is there.
 *
 * @param before where the shell stood before this statement.
 */
export function mayHaveStayed(node: Node, before: string | undefined, context: EvaluationContext): boolean {
  const { cwd } = context.state;
  if (cwd === undefined || cwd === before || !isOwn(cwd, context)) return false;
  const isAlwaysThere = context.lineContext.ownFolders.includes(cwd) && !context.walk.written.has(cwd);
  return !isAlwaysThere && !leavesElse(node, context);
}

/** By its name; a link of this line that leads outside is graver than where else the shell may stand. */
function isOwn(cwd: string, context: EvaluationContext): boolean {
  const { lineContext } = context;
  const named = locate(cwd, '/', lineContext);
  if (named === undefined || !isInOwnFolder(cwd, lineContext)) return false;
  const { located } = followLinks(named, context);
  return located.place === 'inside' || isInOwnFolder(located.absolute, lineContext);
}

function leavesElse(node: Node, { state }: EvaluationContext): boolean {
  if (node.type !== 'AndOr' || node.operators.at(-1) !== '||') return false;
  const last = node.commands.at(-1);
  return last !== undefined && leaves(last, state);
}
