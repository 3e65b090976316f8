import { expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';
import { TAKES_WORK } from './reason-codes.ts';

const takes = (line: string): boolean =>
  classifyLine(line, { cwd: '/repo', workspace: '/repo' }).reasons.some(({ code }) => code === TAKES_WORK);

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
])('%s may take others’ uncommitted work', (line) => expect(takes(line)).toBe(true));

test.for([
  'git stash list',
  'git stash show -p',
  'git stash create',
  'git checkout main',
  'git checkout main -- a.ts',
  'git checkout -b topic',
  'git restore --staged a.ts',
  'git reset a.ts',
  'git clean -n',
  'git rm a.ts',
  'git rm --cached -f a.ts',
  'git rebase --autosquash main',
  'git pull --no-autostash',
  'git -c rebase.autoStash=false rebase main',
])('%s takes none', (line) => expect(takes(line)).toBe(false));
