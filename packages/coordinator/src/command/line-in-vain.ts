import {
  type CallContext,
  type Executor,
  type Inspector,
  nearestWord,
  type PushStep,
  ToolFailure,
} from '@signalbox/core';
import { commandsOf, planLine } from '@signalbox/policy';

type GitObstacle = NonNullable<Awaited<ReturnType<Inspector['obstacle']>>>;

type Shell = { readonly line: string; /** Normalised. */ readonly cwd: string };

/**
 * @throws {ToolFailure} when a shell line can't succeed as things are now: it is one command and nothing else, whose
 * program is missing, or a push to nowhere. Aliases and functions don't exist in it, and nothing in it runs before it.
 */
export async function refuseInVain(
  { line, cwd }: Shell,
  parts: {
    readonly executor: Executor;
    readonly inspector: Pick<Inspector, 'obstacle'>;
    readonly clientEnv: CallContext['clientEnv'];
  },
): Promise<void> {
  const words = onlyCommandOf(line);
  if (words === null) return;
  const [program, ...args] = words;
  const { executor, inspector, clientEnv } = parts;
  const asked = clientEnv === undefined ? {} : { clientEnv };
  const isLooked = !program.includes('/') && !OF_BASH.has(program);
  if (isLooked && (await executor.lacks?.(program, asked)) === true) throw noProgram(program);
  if (program !== 'git' || args.some((word) => HELP.has(word))) return;
  const push = planLine(line, cwd).steps.find((step): step is PushStep => step.kind === 'push');
  if (push === undefined) return;
  const obstacle = await inspector.obstacle({ kind: 'push', cwd: push.cwd, remote: push.remote });
  if (obstacle !== null) throw noPush(obstacle);
}

/** What git answers without a repository. */
const HELP: ReadonlySet<string> = new Set(['-h', '--help', '--help-all']);

/** Bash's own: `compgen -bk`. */
const OF_BASH: ReadonlySet<string> = new Set(
  (
    '. : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs ' +
    'disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help ' +
    'history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set ' +
    'shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait ' +
    'while [[ ]] { } !'
  ).split(' '),
);

/** Program and words of a line that is one command, all of them known, with nothing in front of it. */
function onlyCommandOf(line: string): readonly [string, ...string[]] | null {
  const read = commandsOf(line);
  const [command, ...others] = read?.commands ?? [];
  if (read?.isPlain !== true || command === undefined || others.length > 0) return null;
  const { program, args, span } = command;
  const words = args.filter((word) => word !== null);
  // `! make` succeeds where `make` fails.
  const isFirst = line.slice(0, span.start).trim() === '';
  if (program === null || program === '' || words.length < args.length || !isFirst) return null;
  return [program, ...words];
}

function noProgram(program: string): ToolFailure {
  return inVain({
    code: 'no-program',
    message: `Cannot run this line: program ${JSON.stringify(program)} is not installed in the sandbox`,
    suggestion: 'Use another program, run it by its path, or ask your user to install it',
  });
}

function noPush(obstacle: GitObstacle): ToolFailure {
  if (obstacle.kind !== 'no-remote') {
    return inVain({
      code: obstacle.kind,
      message: 'Cannot push: this folder is in no git repository',
      suggestion: 'Give the folder of a repository as cwd, or ask your user',
    });
  }
  const { remote, remotes } = obstacle;
  const add = 'Ask your user for an address, then add it: git remote add origin ADDRESS';
  if (remote === null)
    return inVain({ code: 'no-remote', message: 'Cannot push: no remote is configured', suggestion: add });
  const meant = nearestWord(remote, remotes);
  const guess = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return inVain({
    code: 'no-remote',
    message: `Cannot push: there is no remote ${JSON.stringify(remote)}${guess}`,
    suggestion: remotes.length === 0 ? add : `Push to one of: ${remotes.slice(0, MOST_REMOTES).join(', ')}`,
  });
}

const MOST_REMOTES = 10;

function inVain(failure: {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
}): ToolFailure {
  return new ToolFailure({ category: 'InvalidParameters', ...failure });
}
