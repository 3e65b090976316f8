import type { Filter } from '../filter.ts';
import { type CommandMatcher, prefixes } from '../match/command-matcher.ts';
import { counted, isMarker, marker } from '../lines/marker.ts';
import type { LineStep } from '../lines/line-step.ts';
import { withoutSteps } from '../lines/without.ts';

/** Lock files: hundreds of lines that follow from a few in a manifest. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock)$/;
/** The head of a file: `diff --git a/x b/x` ends with its name, `diff --cc x` is followed by it. */
const FILE = /^diff --(?:git a\/|(?:cc|combined) )/;
/** Of the head of a file, what says more than its names. */
const HEAD = /^(?:diff |new file|deleted file|rename |copy |similarity |old mode|new mode|Binary )/;

/** A line inside the changes of a file. */
const CHANGE = /^(?:[+\- @\\]|index |$)/;

/** Changes of lock files, of which only the head and the number of lines remain. */
const lockFiles: LineStep = (lines) => {
  const kept: string[] = [];
  let leftOut = 0;
  let isLock = false;
  const end = (): void => {
    if (leftOut > 0) kept.push(marker(`${counted(leftOut, 'line')} of a lock file left out`));
    leftOut = 0;
  };
  for (const line of lines) {
    if (FILE.test(line)) {
      end();
      isLock = LOCK_FILE.test(line.replaceAll(' ', '/'));
    } else if (isLock && !CHANGE.test(line) && !HEAD.test(line) && !isMarker(line)) {
      end();
      isLock = false;
    }
    if (isLock && CHANGE.test(line)) leftOut += 1;
    else kept.push(line);
  }
  end();
  return kept;
};

/** A difference in which the caller did not ask for a lock file by name. */
const differences: CommandMatcher = {
  kind: 'custom',
  matches: (words) => {
    if (words[0] !== 'git' || words.some((word) => word !== null && LOCK_FILE.test(word))) return false;
    return words.some((word) => word === 'diff' || word === 'show' || word === 'log' || word === 'stash');
  },
};

/** Everything but the changes of lock files, since a difference is read line by line. */
export const gitDiff: Filter = {
  name: 'git-diff',
  matchers: [differences],
  isSummary: () => true,
  stages: [lockFiles],
};

/** Advice on commands, and the progress of transfers. */
const NOISE =
  /^ {2}\(use "git |^(?:remote: )?(?:(?:Enumerating|Counting|Compressing|Receiving|Writing|Unpacking) objects|Resolving deltas|(?:Updating|Checking out) files|Filtering content)(?::|$)|^(?:remote: )?Total \d+ \(delta|^Delta compression using /;

export const git: Filter = {
  name: 'git',
  matchers: prefixes(
    ...'status fetch pull push clone commit checkout switch merge rebase add reset restore submodule gc worktree'
      .split(' ')
      .map((verb) => `git ${verb}`),
  ),
  isSummary: () => true,
  stages: [withoutSteps((line) => NOISE.test(line))],
};
