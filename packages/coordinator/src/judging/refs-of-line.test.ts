import { expect, test } from 'vitest';
import { ANY_LOCAL, refsOfLine, refsOfPaths, sameRefs } from './refs-of-line.ts';

const refs = (line: string): readonly string[] | null => {
  const found = refsOfLine(line);
  return found === null ? null : [...found].toSorted();
};

test.for<[string, readonly string[] | null]>([
  ['git push origin main', ['push main']],
  ['git push -uf origin +HEAD:refs/heads/main dev', ['push dev', 'push main']],
  ['git push origin heads/main HEAD:tags/v1', ['push main', 'push v1']],
  ['git push -o ci.skip origin :old', ['push old']],
  ['git push', ['push *']],
  ['git push origin HEAD', ['push *']],
  ['git push --tags origin main', ['push *']],
  ['git push --fol origin main', null],
  ['git tag v1', ['refs/tags/v1']],
  ['git tag -am "say it" v1 HEAD~1', ['refs/tags/v1']],
  ['git tag -mx v1', ['refs/tags/v1']],
  ['git tag -d v1 v2', ['refs/tags/v1', 'refs/tags/v2']],
  ['git tag --mess x v1', null],
  ['git branch -m old new', ['refs/heads/new', 'refs/heads/old']],
  ['git branch -u origin/main topic', ['refs/heads/topic']],
  ['cd sub && git add . && git commit -qm x', ['HEAD']],
  ['git -C . commit -m x', ['HEAD']],
  ['timeout 5 git tag v1', null],
  ['git update-ref refs/heads/x HEAD', ['refs/heads/x']],
  ['git rebase main', null],
  ['git checkout -q main', ['checkout']],
  ['git checkout -- a.txt', ['checkout']],
  ['git checkout -q -b topic main', ['checkout', 'new refs/heads/topic']],
  ['git switch -c topic', ['checkout', 'new refs/heads/topic']],
  ['git checkout -B main topic', null],
  ['git switch -C main topic', null],
  ['git merge topic', ['HEAD']],
  ['git reset --hard HEAD~1', ['HEAD']],
  ['git stash', ['refs/stash']],
  ['git fetch', ['refs/remotes/*']],
  ['git pull', ['HEAD', 'refs/remotes/*']],
  ['npm version 1.2.3', null],
  ['git tag "$X"', null],
  ['git --git-dir=x tag v1', null],
  ['git status', null],
])('%s changes %j', ([line, expected]) => {
  expect(refs(line)).toEqual(expected);
});

test('a commit moves the current branch, whichever that is; an undeterminable target is any ref', () => {
  const [commit, tag, branch, push, all] = [
    'git commit -m x',
    'git tag v1',
    'git branch -f main HEAD',
    'git push origin main',
    'git push',
  ].map(refsOfLine);
  const same = (a: typeof commit, b: typeof commit): boolean => sameRefs(a ?? null, b ?? null);
  expect([same(commit, branch), same(branch, commit), same(push, all), same(all, push)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([same(commit, tag), same(push, tag), same(push, commit), same(commit, push)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(same(undefined, tag)).toBe(true);
});

test('a checkout, a new branch and fetched refs are no commit, no existing branch and no push', () => {
  const of = (line: string) => refsOfLine(line);
  const same = (a: string, b: string): boolean => sameRefs(of(a), of(b));
  expect([
    same('git push origin main', 'git checkout main'),
    same('git push', 'git fetch'),
    same('git commit -m x', 'git checkout main'),
    same('git commit -m x', 'git switch -c topic'),
    same('git checkout dev', 'git checkout main'),
    same('git branch topic', 'git switch -c topic'),
    sameRefs(of('git push origin main'), new Set([ANY_LOCAL])),
    sameRefs(of('git tag v1'), new Set([ANY_LOCAL])),
  ]).toEqual([false, false, false, false, true, true, false, true]);
});

test('paths that a script wrote below .git name its refs', () => {
  const paths = [
    '.git/refs/tags/v1',
    '.git/logs/HEAD',
    '.git/COMMIT_EDITMSG',
    'a.txt',
    '.git/refs/remotes/origin/x',
  ];
  expect([...(refsOfPaths(paths) ?? [])]).toEqual(['refs/tags/v1', 'push x']);
  expect(refsOfPaths([...paths, '.git/packed-refs'])).toBeNull();
  expect([...(refsOfPaths(['.git/HEAD']) ?? [])]).toEqual(['checkout']);
  expect([...(refsOfPaths(paths, ['refs/remotes/*']) ?? [])]).toEqual(['refs/tags/v1']);
});
