import type * as ast from 'unbash';
import { leaves } from './compound.ts';
import { followLinks } from './links.ts';
import { isInOwnFolder } from './own-folders.ts';
import { locate } from './paths.ts';
import type { Scene } from './program.ts';

type Node = ast.Statement['command'];

/**
 * `cd /tmp/a; touch b`: where there is no such folder the shell stays where it was, and that may be the workspace.
 *
 * Whoever says `cd web` in the workspace means what is there; a folder of the line's own holds only what the line has
 * made. Where `||` leaves else, who comes after is there.
 *
 * @param before where the shell stood before this statement.
 */
export function mayHaveStayed(node: Node, before: string | undefined, scene: Scene): boolean {
  const { cwd } = scene.state;
  if (cwd === undefined || cwd === before || !isOwn(cwd, scene)) return false;
  const isAlwaysThere = scene.ground.ownFolders.includes(cwd) && !scene.walk.written.has(cwd);
  return !isAlwaysThere && !leavesElse(node, scene);
}

/** By its name; a link of this line that leads outside is graver than where else the shell may stand. */
function isOwn(cwd: string, scene: Scene): boolean {
  const { ground } = scene;
  const named = locate(cwd, '/', ground);
  if (named === undefined || !isInOwnFolder(cwd, ground)) return false;
  const { located } = followLinks(named, scene);
  return located.place === 'inside' || isInOwnFolder(located.absolute, ground);
}

function leavesElse(node: Node, { state }: Scene): boolean {
  if (node.type !== 'AndOr' || node.operators.at(-1) !== '||') return false;
  const last = node.commands.at(-1);
  return last !== undefined && leaves(last, state);
}
