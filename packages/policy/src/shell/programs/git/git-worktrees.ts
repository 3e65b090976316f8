import type { Invocation, Rule } from '../../program.ts';
import { beginningOf, literal, textOf } from '../../word.ts';
import { takesWork, UNCOMMITTED, writesTree } from './git-effects.ts';

/** Git commands that keep several working trees, or go through commits one by one. */
export const gitWorktrees: Readonly<Record<string, Rule>> = {
  worktree: {
    unknownOptions: 'any',
    judge: (invocation) => {
      const verb = textOf(invocation.words[0]);
      const dry =
        verb === 'prune' && invocation.words.some((word) => /^(?:-n|--dry-run)$/.test(textOf(word) ?? ''));
      if (verb === 'list' || dry) return;
      const outside = invocation.words.some((word) => /^(?:\.\.|\/|~)/.test(beginningOf(word)));
      const forced =
        verb === 'remove' || invocation.words.some((word) => /^-f|^--force/.test(beginningOf(word)));
      if (verb === 'remove' && invocation.words.some((word) => /^-f|^--f/.test(beginningOf(word))))
        takesWork(invocation, UNCOMMITTED);
      writesTree(invocation, {
        level: outside || forced ? 'dangerous' : 'warning',
        text: 'adds or removes a working tree',
      });
    },
    examples: {
      safe: ['git worktree list', 'git worktree prune -n'],
      warning: ['git worktree prune'],
      dangerous: ['git worktree add ../x', 'git worktree remove --force x'],
    },
  },
  bisect: {
    unknownOptions: 'any',
    judge: (invocation) => {
      const verb = textOf(invocation.words[0]);
      if (verb === 'log') return;
      if (verb === 'view' || verb === 'visualize') return viewsBisection(invocation);
      writesTree(invocation, { level: 'warning', text: 'checks out commits one by one' });
      if (verb === 'run') invocation.context.walk.runWords(invocation.words.slice(1), invocation.context);
    },
    examples: {
      safe: ['git bisect log', 'git bisect view --oneline'],
      warning: ['git bisect view', 'git bisect visualize ./x', 'git bisect start', 'git bisect run npm test'],
      dangerous: ['git bisect run rm -rf lib', 'git bisect view reset --hard'],
    },
  },
};

/** Shows the remaining commits in `gitk`; words after it are options of `git log`, a git command, or another viewer. */
function viewsBisection({ words, context, span }: Invocation): void {
  const [first, ...rest] = words.slice(1);
  if (first === undefined)
    return context.report.raise('warning', 'interactive', {
      text: 'opens a viewer with the remaining commits',
      span,
    });
  const isOther = /^(?:git|tig$)/.test(beginningOf(first));
  const before = isOther ? [] : beginningOf(first).startsWith('-') ? ['git', 'log'] : ['git'];
  context.walk.runWords([...before.map((text) => literal(text, span)), first, ...rest], context);
}
