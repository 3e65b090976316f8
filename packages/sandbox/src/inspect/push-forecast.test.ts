import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Inspector } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInspector } from './inspector.ts';
import { withoutCredentials } from './push-forecast.ts';

let root: string;
let workspace: string;
let inspector: Inspector;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  workspace = join(root, 'work');
  mkdirSync(workspace);
  const scratch = join(root, 'state');
  inspector = createInspector({ workspace, scratch, path: '/usr/bin:/bin', isDenied: () => false });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const WHO = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
function git(...args: readonly string[]): void {
  const env = { PATH: '/usr/bin:/bin', HOME: root };
  const { status, stderr } = spawnSync('git', [...WHO, ...args], { cwd: workspace, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
}

const PUSH = { cwd: '.', remote: null, refs: [], isForced: false, isDelete: false, also: [] };

describe('the preview of a push (U-M2)', () => {
  beforeEach(() => {
    spawnSync('git', ['init', '-q', '--bare', '-b', 'main', join(root, 'remote.git')]);
    git('init', '-q', '-b', 'main');
    git('remote', 'add', 'origin', `file://${root}/remote.git`);
    git('commit', '--allow-empty', '-qm', 'first');
    git('push', '-q', 'origin', 'main');
    git('commit', '--allow-empty', '-qm', 'second');
  });

  test('has the remote, the commits, and what a force overwrites', async () => {
    const [forecast] = await inspector.push(PUSH);
    expect(forecast).toMatchObject({
      remote: 'origin',
      url: `file:///${root.slice(1)}/remote.git`,
      from: 'main',
      to: 'main',
      deed: 'update',
      commits: [{ subject: 'second' }],
      commitCount: 1,
      lostCount: 0,
    });
    git('push', '-q', 'origin', 'main');
    git('reset', '-q', '--hard', 'HEAD~1');
    git('commit', '--allow-empty', '-qm', 'other');
    const forced = await inspector.push({ ...PUSH, remote: 'origin', refs: ['main'], isForced: true });
    expect(forced).toMatchObject([
      { deed: 'overwrite', commits: [{ subject: 'other' }], lost: [{ subject: 'second' }], lostCount: 1 },
    ]);
    expect(await inspector.push({ ...PUSH, remote: 'origin', refs: ['+HEAD:main'] })).toMatchObject([
      { deed: 'overwrite', lostCount: 1 },
    ]);
  });

  test('handles new branches, deletions and missing refs', async () => {
    git('checkout', '-qb', 'feature');
    expect(await inspector.push(PUSH)).toMatchObject([
      { from: 'feature', to: 'feature', deed: 'create', commitCount: 1 },
    ]);
    expect(await inspector.push({ ...PUSH, remote: 'origin', refs: [':main'] })).toMatchObject([
      { to: 'main', deed: 'delete', lostCount: 1 },
    ]);
    await expect(inspector.push({ ...PUSH, remote: 'origin', refs: ['nope'] })).rejects.toThrow('"nope"');
    git('pack-refs', '--all');
    expect(await inspector.push({ ...PUSH, remote: 'origin', refs: ['main'] })).toMatchObject([
      { deed: 'update', commitCount: 1 },
    ]);
  });

  test('has no credentials in addresses', async () => {
    git('remote', 'set-url', 'origin', 'https://ana:hunter2@example.com/x.git?token=1');
    expect(await inspector.push(PUSH)).toMatchObject([{ url: 'https://example.com/x.git' }]);
    const address = { ...PUSH, remote: 'https://ana:hunter2@example.com/x.git', refs: ['main'] };
    const there = 'https://example.com/x.git';
    expect(await inspector.push(address)).toMatchObject([{ remote: there, url: there }]);
    expect(withoutCredentials('https://a@b:c@host/x')).toBe('https://host/x');
    expect(withoutCredentials('git@host:x.git')).toBe('git@host:x.git');
  });
});
