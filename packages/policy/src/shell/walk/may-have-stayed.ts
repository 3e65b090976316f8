import type * as ast from 'unbash';
import { leaves } from './and-or.ts';
import { followLinks } from '../paths/links.ts';
import { isInOwnFolder } from '../paths/own-folders.ts';
import { locate } from '../paths/paths.ts';
import type { EvaluationContext } from '../program.ts';

type Node = ast.Statement['command'];

/**
 * `cd /tmp/a; touch b`: if there is no such folder the shell stays where it was, which may be the workspace.
 *
 * A `cd web` in the workspace means an existing folder; a private folder contains only what the line has made. If the
 * `||` branch leaves, later commands have arrived.
 *
 * @param before the shell's directory before this statement.
 */
export function mayHaveStayed(node: Node, before: string | undefined, context: EvaluationContext): boolean {
  const { cwd } = context.state;
  if (cwd === undefined || cwd === before || !isOwn(cwd, context)) return false;
  const isAlwaysThere = context.lineContext.ownFolders.includes(cwd) && !context.walk.written.has(cwd);
  return !isAlwaysThere && !leavesElse(node, context);
}

/** By its name; a link of this line that leads outside is more serious than the other possible directory. */
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
