import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { ContentHash } from '@signalbox/core';
import { expect, onTestFinished, test } from 'vitest';
import { broughtByGit, knownCommits, takenByGit } from './brought-by-git.ts';

const PATH = 'conf/.envrc';
const EVIL = 'evil code\n';

/** A repository with three versions of the file, before and on the branch `topic`. The branch `gone` has none. */
function repositoryWithHistory() {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const git = (...args: readonly string[]): string =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@localhost', ...args], {
      cwd: workspace,
      encoding: 'utf8',
    }).stdout.trim();
  git('init', '-q', '-b', 'main');
  mkdirSync(join(workspace, 'conf'));
  for (const text of ['first\n', 'second\n', 'third\n']) {
    writeFileSync(join(workspace, PATH), text);
    git('add', '.');
    git('commit', '-q', '-m', text.trim());
  }
  git('tag', '-a', '-m', 'third', 'v3');
  git('switch', '-q', '-c', 'gone');
  git('rm', '-q', PATH);
  git('commit', '-q', '-m', 'gone');

  /** Writes content under an existing object name, as only manual tampering can: git reads it without a warning. */
  function forge(id: string, type: string, body: Buffer): void {
    const file = join(workspace, '.git/objects', id.slice(0, 2), id.slice(2));
    chmodSync(file, 0o600);
    writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])));
  }

  /** Writes an object the way git does. */
  function put(type: string, body: Buffer): string {
    const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const id = createHash('sha1').update(whole).digest('hex');
    const file = join(workspace, '.git/objects', id.slice(0, 2), id.slice(2));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(whole));
    return id;
  }
  return { workspace, git, forge, put };
}

function optionsOf(workspace: string) {
  return { workspace, scratch: join(workspace, '.signalbox'), path: process.env['PATH'] ?? '' };
}

async function isBrought(workspace: string, text: string): Promise<boolean> {
  const options = optionsOf(workspace);
  const hash = createHash('sha256').update(text).digest('hex');
  const known = await knownCommits(options);
  const changes = [{ path: PATH, kind: 'modified', hash: ContentHash.parse(hash) }] as const;
  const brought = await broughtByGit({ known, changes, paths: [PATH] }, options);
  return brought.includes(PATH);
}

function tree(mode: string, { name, id }: Readonly<{ name: string; id: string }>): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
}

test('content of older commits counts as restored by git, from a branch, a tag and far back', async () => {
  const { workspace } = repositoryWithHistory();
  const found = [];
  for (const text of ['first\n', 'second\n', 'third\n', EVIL]) found.push(await isBrought(workspace, text));
  expect(found).toEqual([true, true, true, false]);
});

test('a forged blob, tree or commit proves nothing', async () => {
  const blob = repositoryWithHistory();
  blob.forge(blob.git('rev-parse', `main:${PATH}`), 'blob', Buffer.from(EVIL));
  expect(blob.git('cat-file', 'blob', `main:${PATH}`)).toBe(EVIL.trim());
  expect(await isBrought(blob.workspace, EVIL)).toBe(false);

  const ofTree = repositoryWithHistory();
  const evil = ofTree.put('blob', Buffer.from(EVIL));
  ofTree.forge(ofTree.git('rev-parse', 'main:conf'), 'tree', tree('100644', { name: '.envrc', id: evil }));
  expect(ofTree.git('cat-file', 'blob', `main:${PATH}`)).toBe(EVIL.trim());
  expect(await isBrought(ofTree.workspace, EVIL)).toBe(false);

  const ofCommit = repositoryWithHistory();
  const blobOf = ofCommit.put('blob', Buffer.from(EVIL));
  const folder = ofCommit.put('tree', tree('100644', { name: '.envrc', id: blobOf }));
  const root = ofCommit.put('tree', tree('40000', { name: 'conf', id: folder }));
  const who = 'A <a@localhost> 1700000000 +0000';
  const commit = ofCommit.put(
    'commit',
    Buffer.from(`tree ${root}\nauthor ${who}\ncommitter ${who}\n\nevil\n`),
  );
  const first = ofCommit.git('rev-parse', 'main~1');
  const body = ofCommit.git('cat-file', 'commit', first);
  ofCommit.forge(first, 'commit', Buffer.from(body.replace(/^parent .+$/m, `parent ${commit}`)));
  expect(ofCommit.git('log', '--format=%s', 'main')).toContain('evil');
  expect(await isBrought(ofCommit.workspace, EVIL)).toBe(false);
});

test('a file counts as removed by git only if the checked-out commit provably lacks it', async () => {
  const { workspace, git, forge } = repositoryWithHistory();
  const options = optionsOf(workspace);
  const files = [{ path: PATH, hash: createHash('sha256').update('third\n').digest('hex') }];
  const known = await knownCommits(options);
  expect(await takenByGit({ known, files }, options)).toEqual([PATH]);
  git('switch', '-q', 'main');
  forge(git('rev-parse', 'main^{tree}'), 'tree', Buffer.alloc(0));
  expect(git('ls-tree', 'main')).toBe('');
  expect(await takenByGit({ known: await knownCommits(options), files }, options)).toEqual([]);
});
