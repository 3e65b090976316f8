import { hasOption } from '../../options.ts';
import type { Rule } from '../../program.ts';
import { touchDelete, touchMove, touchWrite } from '../../paths/touch.ts';
import { looksLikeFile } from '../../paths/path-words.ts';
import { beginningOf, textOf, type Word } from '../../word.ts';
import {
  makesCommits,
  asksAutostash,
  takesUntracked,
  takesWork,
  UNCOMMITTED,
  writesFiles,
  writesIndex,
  writesPathspecs,
  writesRefs,
  writesTree,
} from './git-effects.ts';

const MOVED = 'moves all uncommitted work in the workspace into the stash and back';

/** Git commands that change the repository or its working tree. */
export const gitWrites: Readonly<Record<string, Rule>> = {
  'add stage': {
    options:
      '-AufinNpev --all --update --force --interactive --dry-run --intent-to-add --patch --edit --verbose --no-all --ignore-removal --no-ignore-removal --sparse --refresh --ignore-errors --ignore-missing --renormalize --chmod= --pathspec-from-file=names --pathspec-file-nul --no-warn-embedded-repo',
    judge: (invocation) => {
      if (hasOption(invocation.options, '-n', '--dry-run')) return;
      writesIndex(invocation, { level: 'warning', text: 'stages changes' });
      invocation.context.report.effect({ kind: 'resource', resource: 'git:objects', access: 'write' });
      const secret = invocation.options.operands.some((word) =>
        /(?:^|\/)\.env$|id_rsa$|\.pem$/.test(textOf(word) ?? ''),
      );
      if (secret)
        invocation.context.report.raise('dangerous', 'stages-secret', {
          text: 'adds a secret to the repository',
          span: invocation.span,
        });
    },
    examples: {
      safe: ['git add -n .'],
      warning: ['git add .', 'git add -p a.ts'],
      dangerous: ['git add .env'],
    },
  },
  commit: {
    options:
      '-# -apvqsneioz -C: -c: -F:read -m: -t:read -u? -S? --all --patch --reuse-message= --reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --file=read --author= --date= --message= --template=read --trailer= --signoff --no-signoff --no-verify --verify --allow-empty --allow-empty-message --cleanup= --edit --no-edit --amend --no-post-rewrite --include --only --pathspec-from-file=names --pathspec-file-nul --untracked-files? --verbose --quiet --dry-run --status --no-status --gpg-sign? --no-gpg-sign',
    judge: (invocation) => {
      if (hasOption(invocation.options, '--dry-run')) return;
      makesCommits(invocation, 'creates a commit');
    },
    examples: {
      warning: ['git commit -m "initial"', 'git commit --amend --no-edit', "git commit -m 'remove sudo'"],
      safe: ['git commit --dry-run'],
    },
  },
  reset: {
    options:
      '-# -qpN --quiet --no-refresh --refresh --patch --mixed --soft --hard --merge --keep --intent-to-add --recurse-submodules --no-recurse-submodules --pathspec-from-file=names --pathspec-file-nul',
    judge: (invocation) => {
      if (hasOption(invocation.options, '--hard', '--merge', '--keep')) {
        takesWork(invocation, UNCOMMITTED);
        return writesTree(invocation, { level: 'dangerous', text: 'discards uncommitted work' });
      }
      writesIndex(invocation, { level: 'warning', text: 'unstages changes or moves the branch' });
      const [first, ...paths] = invocation.options.operands;
      // With paths it only restores them in the index: `git reset HEAD a.ts`.
      const isPath =
        paths.length > 0 ||
        invocation.words.some((word) => textOf(word) === '--') ||
        looksLikeFile(textOf(first) ?? '');
      if (first !== undefined && !isPath)
        writesRefs(invocation, { level: 'warning', text: 'moves the branch' });
    },
    examples: {
      warning: ['git reset', 'git reset a.ts', 'git reset HEAD a.ts', 'git reset --soft HEAD~1'],
      dangerous: ['git reset --hard HEAD~1', 'git reset --har', 'git reset -q --hard'],
    },
  },
  clean: {
    options: '-dfinqxX -e: --force --interactive --dry-run --quiet --exclude=',
    judge: (invocation) => {
      if (hasOption(invocation.options, '-n', '--dry-run')) return;
      takesUntracked(invocation);
      writesFiles(invocation, { level: 'dangerous', text: 'deletes untracked files' });
    },
    examples: {
      safe: ['git clean -n', 'git clean -nd'],
      dangerous: ['git clean -fd', 'git clean -xdf', 'git clean --forc'],
    },
  },
  rm: {
    options:
      '-rfnq --recursive --force --dry-run --cached --quiet --ignore-unmatch --sparse --pathspec-from-file=names',
    judge: (invocation) => {
      const { options, context } = invocation;
      if (hasOption(options, '-n', '--dry-run')) return;
      writesIndex(invocation, { level: 'warning', text: 'removes files from the index' });
      if (hasOption(options, '--cached')) return;
      if (hasOption(options, '-f', '--force')) takesWork(invocation, UNCOMMITTED);
      const recursive = hasOption(options, '-r', '--recursive');
      for (const word of options.operands) touchDelete(context, word, { scope: recursive ? 'tree' : 'file' });
      writesPathspecs(
        options.operands.filter((word) => /[*?[:]/.test(textOf(word) ?? '')),
        context,
      );
    },
    examples: {
      warning: ['git rm a.ts', 'git rm --cached a.ts'],
      dangerous: ['git rm -r lib'],
      safe: ['git rm -n a'],
    },
  },
  mv: {
    options: '-fknv --force --dry-run --verbose --sparse',
    judge: (invocation) => {
      const { options, context } = invocation;
      if (hasOption(options, '-n', '--dry-run')) return;
      writesIndex(invocation, { level: 'warning', text: 'moves files' });
      if (hasOption(options, '-f', '--force')) takesWork(invocation, UNCOMMITTED);
      for (const word of options.operands.slice(0, -1)) touchMove(context, word, { scope: 'tree' });
      const target = options.operands.at(-1);
      if (target !== undefined) touchWrite(context, target, { scope: 'tree' });
    },
    examples: { warning: ['git mv a.md b.md'], safe: ['git mv -n a b'] },
  },
  'merge cherry-pick revert am': commitsRule({
    warning: [
      'git merge topic',
      'git cherry-pick HEAD~2',
      'git revert HEAD',
      'git am x.patch',
      'git merge --abort',
    ],
  }),
  rebase: {
    options:
      '-# -iprvqknmfx: -s: -X: -C: -S? --interactive --onto= --exec=shell --root --continue --abort --quit --skip --edit-todo --show-current-patch --keep-base --autosquash --no-autosquash --autostash --no-autostash --update-refs --rebase-merges? --strategy= --strategy-option= --stat --no-stat --verify --no-verify --no-ff --force-rebase --fork-point --no-fork-point --ignore-whitespace --whitespace= --committer-date-is-author-date --reset-author-date --signoff --merge --apply --empty= --reapply-cherry-picks --quiet --verbose --gpg-sign? --rerere-autoupdate --keep-empty --no-keep-empty --no-rebase-merges -x:shell',
    judge: (invocation) => {
      if (hasOption(invocation.options, '--autostash')) takesWork(invocation, MOVED);
      if (goesBack(invocation.words)) takesWork(invocation, UNCOMMITTED);
      writesTree(invocation, { level: 'warning', text: 'changes the working tree' });
      makesCommits(invocation, 'rewrites commits of this branch');
    },
    examples: {
      warning: ['git rebase main', 'git rebase --continue'],
      dangerous: ["git rebase -x 'rm -rf lib' main", "git rebase --exec='rm -rf lib' main"],
    },
  },
  apply: {
    options:
      '-# -Rzvp: -C: -q3 --stat --numstat --summary --check --index --intent-to-add --cached --3way --ours --theirs --union --build-fake-ancestor=write --reverse --reject --unidiff-zero --apply --no-add --allow-binary-replacement --binary --exclude= --include= --ignore-space-change --ignore-whitespace --whitespace= --inaccurate-eof --verbose --quiet --recount --directory= --unsafe-paths --allow-empty -p:',
    operands: 'read',
    raises: [
      {
        when: '--unsafe-paths',
        level: 'dangerous',
        code: 'outside-workspace',
        text: 'may write outside the workspace',
      },
    ],
    judge: (invocation) => {
      if (
        hasOption(invocation.options, '--check', '--stat', '--numstat', '--summary') &&
        !hasOption(invocation.options, '--apply')
      )
        return;
      writesFiles(invocation, { level: 'warning', text: 'applies a patch' });
    },
    examples: {
      safe: ['git apply --check x.diff', 'git apply --stat x.diff'],
      warning: ['git apply x.diff'],
      dangerous: ['git apply --unsafe-paths x.diff'],
    },
  },
};

/** `git rebase --abort`, `git am --sk`: back to a commit, with every file that differs from it. */
function goesBack(words: readonly Word[]): boolean {
  return words.some((word) => /^--(?:ab|sk)[a-z]*$/.test(beginningOf(word)));
}

function commitsRule(examples: NonNullable<Rule['examples']>): Rule {
  return {
    unknownOptions: 'any',
    judge: (invocation) => {
      if (asksAutostash(invocation.words)) takesWork(invocation, MOVED);
      if (goesBack(invocation.words)) takesWork(invocation, UNCOMMITTED);
      writesTree(invocation, { level: 'warning', text: 'changes the working tree' });
      makesCommits(invocation, 'creates commits');
    },
    examples,
  };
}
