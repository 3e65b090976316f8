import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStage, type Stage } from '../fixtures/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage({ transactions: 'off' });
  spawnSync('git', ['init', '-q', '-b', 'main', stage.workspace]);
});
afterEach(async () => stage.close());

const inGit = (name: string): string => join(stage.workspace, '.git', name);

test('on the workspace itself commondir is taken back and HEAD put back, and the result says so (R-A2)', async () => {
  const done = await stage.run('mkdir ev; echo ../ev > .git/commondir; rm .git/HEAD; true');
  expect(done.isolation.layer).toBe('bind');
  expect(existsSync(inGit('commondir'))).toBe(false);
  expect(readFileSync(inGit('HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  expect(done.git).toEqual([
    'commondir taken back: it leads git to settings elsewhere',
    'HEAD put back: it named no branch and no commit',
  ]);
});

test('on the workspace itself settings and attributes of git can not be made where none are (R-D)', async () => {
  const done = await stage.run(
    'echo x > .git/config.worktree; echo x > .git/info/attributes; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git switch -qc next',
  );
  expect(done.stderr.text.match(/Read-only file system/g)).toHaveLength(2);
  expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
  expect(readFileSync(inGit('HEAD'), 'utf8')).toBe('ref: refs/heads/next\n');
  expect(done.git).toBe(undefined);
});

test('a socket in the workspace is masked, whatever network namespace serves it (R-D)', async ({ skip }) => {
  const path = join(stage.workspace, 'service.sock');
  const script = `require('net').createServer((s) => s.end('reached')).listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn('unshare', ['-rn', process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const up = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!up) skip('no network namespace can be made here');
  const line = `node -e "require('net').connect('service.sock').on('data', (d) => console.log(String(d))).on('error', (e) => console.log('refused'))"`;
  const done = await stage.run(line);
  child.kill('SIGKILL');
  expect(done.stdout.text).toBe('refused\n');
});
