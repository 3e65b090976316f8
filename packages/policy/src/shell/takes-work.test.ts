import { expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';
import { TAKES_UNTRACKED, TAKES_WORK } from './report/reason-codes.ts';

const codes = (line: string): readonly string[] =>
  classifyLine(line, { cwd: '/repo', workspace: '/repo' }).reasons.map(({ code }) => code);

const takes = (line: string): boolean =>
  codes(line).some((code) => code === TAKES_WORK || code === TAKES_UNTRACKED);

test.for([
  'git stash',
  'git stash push -m x',
  'git stash pop',
  'git stash apply',
  'git stash drop',
  'git stash clear',
  'git checkout -- a.ts',
  'git checkout -- .',
  'git checkout .',
  'git checkout -f main',
  'git switch -f main',
  'git switch --discard-changes main',
  'git restore a.ts',
  'git restore .',
  'git reset --hard',
  'git clean -fd',
  'git rm -f a.ts',
  'git rebase --autostash main',
  'git rebase --autost main',
  'git merge --autostash topic',
  'git pull --rebase --autostash',
  'git -c rebase.autoStash=true rebase main',
  'git -C web stash',
  'git read-tree --reset -u HEAD',
  'cd web && git stash -u',
  "bash -c 'git stash'",
  'git checkout HEAD a.ts',
  'git checkout HEAD~2 src web',
  'git checkout main -- a.ts',
  'git checkout a.ts',
  'git checkout $files',
  'git checkout --theirs src',
  'git checkout --pathspec-from-file=list',
  'git merge --abort',
  'git rebase --abort',
  'git rebase --skip',
  'git am --ab',
  'git cherry-pick --abort',
  'git revert --skip',
  'git restore --source=HEAD~1 --staged --worktree a.ts',
  'git read-tree -m -u HEAD',
  'git checkout-index -f -a',
  'git submodule update --init --force',
  'git worktree remove --force ../x',
  'git mv -f a.ts b.ts',
])('%s may discard others’ uncommitted work', (line) => expect(takes(line)).toBe(true));

test.for([
  'git stash list',
  'git stash show -p',
  'git stash create',
  'git checkout main',
  'git checkout -b topic origin/main',
  'git checkout --detach HEAD~1',
  'git checkout feature/x',
  'git checkout v1.2.0',
  'git switch -c topic main',
  'git merge --continue',
  'git mv a.ts b.ts',
  'git checkout-index -a --prefix=out/',
  'git submodule update --init',
  'git restore --staged a.ts',
  'git reset a.ts',
  'git clean -n',
  'git rm a.ts',
  'git rm --cached -f a.ts',
  'git rebase --autosquash main',
  'git pull --no-autostash',
  'git -c rebase.autoStash=false rebase main',
])('%s discards none', (line) => expect(takes(line)).toBe(false));

test('git clean takes only untracked files, unless the line also discards changes', () => {
  expect(codes('git clean -fd')).toContain(TAKES_UNTRACKED);
  expect(codes('git clean -fd')).not.toContain(TAKES_WORK);
  expect(codes('git clean -fd && git checkout .')).toEqual(
    expect.arrayContaining([TAKES_UNTRACKED, TAKES_WORK]),
  );
});
