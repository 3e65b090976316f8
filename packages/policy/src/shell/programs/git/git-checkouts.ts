import { hasOption } from '../../options.ts';
import { looksLikeFile } from '../../paths/path-words.ts';
import type { Invocation, Rule } from '../../program.ts';
import { mayBeSeveral, textOf, type Word } from '../../word.ts';
import {
  holdIndex,
  isEverything,
  restoresPathspecs,
  takesWork,
  UNCOMMITTED,
  writesIndex,
  writesTree,
} from './git-effects.ts';

/** Git commands that bring files, or the whole tree, to the content of a commit or the index. */
export const gitCheckouts: Readonly<Record<string, Rule>> = {
  'checkout switch': {
    options:
      '-# -bBqfdmplctCt -b: -B: -c: -C: --quiet --force --detach --track? --no-track --orphan= --create= --force-create= --discard-changes --ours --theirs --merge --conflict= --patch --guess --no-guess --overlay --no-overlay --overwrite-ignore --no-overwrite-ignore --ignore-other-worktrees --recurse-submodules --no-recurse-submodules --progress --no-progress --pathspec-from-file=names --ignore-skip-worktree-bits',
    raises: [
      {
        when: '-f -B -C --force --discard-changes --force-create',
        level: 'dangerous',
        code: 'throws-away',
        text: 'discards changes or force-moves a branch',
      },
    ],
    judge: (invocation) => {
      const { options, context, span } = invocation;
      const paths = checkedOutPaths(invocation);
      const everything = textOf(options.operands.at(-1)) === '.';
      if (everything && paths.length === 0)
        context.report.raise('dangerous', 'throws-away', { text: 'discards all changes', span });
      const takes =
        everything ||
        paths.length > 0 ||
        hasOption(options, '-f', '--force', '--discard-changes', '--pathspec-from-file');
      if (takes) takesWork(invocation, UNCOMMITTED);
      if (paths.length === 0)
        return writesTree(invocation, { level: 'warning', text: 'changes the working tree' });
      const whole = paths.some((word) => isEverything(word));
      context.report.raise(whole ? 'dangerous' : 'warning', 'throws-away', {
        text: 'discards file changes',
        span,
      });
      restoresPathspecs(paths, context);
      holdIndex(context);
    },
    examples: {
      warning: ['git checkout main', 'git checkout -b topic', 'git switch -c topic', 'git checkout -- a.ts'],
      dangerous: [
        'git checkout -f',
        'git checkout .',
        'git checkout -- .',
        'git checkout -- :/',
        "git checkout -- '*'",
        'git switch --discard-changes main',
      ],
    },
  },
  restore: {
    options:
      '-qpWSm -s: --source= --patch --worktree --staged --quiet --progress --ours --theirs --merge --conflict= --ignore-unmerged --overlay --no-overlay --recurse-submodules --pathspec-from-file=names --ignore-skip-worktree-bits',
    judge: (invocation) => {
      const { options, context, span } = invocation;
      const onlyIndex = hasOption(options, '-S', '--staged') && !hasOption(options, '-W', '--worktree');
      if (onlyIndex) return writesIndex(invocation, { level: 'warning', text: 'unstages changes' });
      takesWork(invocation, UNCOMMITTED);
      const whole = options.operands.some((word) => isEverything(word));
      context.report.raise(whole ? 'dangerous' : 'warning', 'throws-away', {
        text: 'discards file changes',
        span,
      });
      restoresPathspecs(options.operands, context);
      holdIndex(context);
    },
    examples: { warning: ['git restore a.ts', 'git restore --staged .'], dangerous: ['git restore .'] },
  },
};

/** Options of `git checkout` that create a branch or detach: an operand is its start point. */
const MAKES_BRANCH = ['-b', '-B', '--orphan', '-d', '--detach', '-t', '--track'];

/** The files that `git checkout` restores: after `--`, after a commit, or alone when it looks like a file name. */
function checkedOutPaths({ program, words, options }: Invocation): readonly Word[] {
  const dashes = words.findIndex((word) => textOf(word) === '--');
  if (dashes >= 0) return words.slice(dashes + 1);
  if (program === 'git switch' || hasOption(options, ...MAKES_BRANCH)) return [];
  const [first, ...rest] = options.operands;
  if (rest.length > 0 || first === undefined) return rest;
  const isFile = mayBeSeveral(first) || looksLikeFile(textOf(first) ?? '');
  return isFile || hasOption(options, '--ours', '--theirs') ? [first] : [];
}
