import { type Inspector, nearestWord, type PushStep } from '@signalbox/core';
import { type NeededPart, planLine } from '@signalbox/policy';
import { failureOf, type InVain } from './in-vain.ts';

type GitObstacle = NonNullable<Awaited<ReturnType<Inspector['obstacle']>>>;

/** A push to nowhere. */
export async function gitInVain(
  part: NeededPart,
  inspector: Pick<Inspector, 'obstacle'>,
): Promise<InVain | undefined> {
  const { program, args, text, cwd } = part;
  if (program !== 'git' || cwd === null || args.some((word) => word !== null && HELP.has(word)))
    return undefined;
  const push = planLine(text, cwd).steps.find((step): step is PushStep => step.kind === 'push');
  if (push === undefined) return undefined;
  const obstacle = await inspector.obstacle({ kind: 'push', cwd: push.cwd, remote: push.remote });
  return obstacle === null ? undefined : { failure: failureOf(part, { verb: 'push', ...wordsOf(obstacle) }) };
}

/** What git answers without a repository. */
const HELP: ReadonlySet<string> = new Set(['-h', '--help', '--help-all']);

const MOST_REMOTES = 10;

function wordsOf(obstacle: GitObstacle): {
  readonly code: string;
  readonly why: string;
  readonly suggestion: string;
} {
  if (obstacle.kind !== 'no-remote') {
    return {
      code: obstacle.kind,
      why: 'this folder is in no git repository',
      suggestion: 'Give the folder of a repository as cwd, or ask your user',
    };
  }
  const { remote, remotes } = obstacle;
  const add = 'Ask your user for an address, then add it: git remote add origin ADDRESS';
  if (remote === null) return { code: 'no-remote', why: 'no remote is configured', suggestion: add };
  const meant = nearestWord(remote, remotes);
  const guess = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return {
    code: 'no-remote',
    why: `there is no remote ${JSON.stringify(remote)}${guess}`,
    suggestion: remotes.length === 0 ? add : `Push to one of: ${remotes.slice(0, MOST_REMOTES).join(', ')}`,
  };
}
