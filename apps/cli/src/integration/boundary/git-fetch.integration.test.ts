import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostGit, LAYERS } from '../../testing/host-git.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';

const LINES = ['git fetch --depth 1', 'timeout 60 git fetch --depth 1'];

test.for(LAYERS.flatMap((layer) => LINES.map((line) => [line, ...layer] as const)))(
  '%s needs approval, and changes only what git fetches, in the layer %s',
  async ([line, layer, settings]) => {
    const { workspace, third } = createClone();
    const at = (...args: readonly string[]) => hostGit(workspace, ...args).trim();
    const config = readFileSync(join(workspace, '.git/config'), 'utf8');
    const head = at('rev-parse', 'main');
    await using own = await openTestRuntime({ settings, workspace });
    const { coordinator } = own.runtime;
    const { commandId, result } = own.submit('openai', 'bash', { args: { line } });
    const asked = await own.event('approval_requested', (event) => event.commandId === commandId);
    expect(at('rev-parse', 'origin/main')).toBe(head);
    const by = { name: 'ana', channel: 'test' } as const;
    await coordinator.approvals.answer(commandId, { kind: 'approve' }, { by, expect: asked.callHash });
    expect(await result).toMatchObject({ success: true, isolation: { layer } });
    expect(at('rev-parse', 'origin/main')).toBe(third);
    expect(readFileSync(join(workspace, '.git/shallow'), 'utf8').trim()).toBe(third);
    expect([at('rev-parse', 'main'), at('rev-list', '--count', 'main')]).toEqual([head, '2']);
    expect(at('status', '--porcelain')).toBe('');
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe(config);
  },
);

/** A repository of two commits with a remote that has a third. */
function createClone() {
  const workspace = createTestWorkspace({ 'a.txt': 'a\n', '.gitignore': 'remote.git/\n.signalbox/\n' });
  hostGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'second');
  const remote = join(workspace, 'remote.git');
  hostGit(workspace, 'clone', '-q', '--bare', workspace, remote);
  hostGit(workspace, 'remote', 'add', 'origin', `file://${remote}`);
  hostGit(workspace, 'fetch', '-q');
  const other = mkdtempSync(join(tmpdir(), 'signalbox-other-'));
  onTestFinished(() => rmSync(other, { recursive: true }));
  hostGit(other, 'clone', '-q', remote, '.');
  hostGit(other, 'commit', '-q', '--allow-empty', '-m', 'third');
  hostGit(other, 'push', '-q');
  return { workspace, third: hostGit(other, 'rev-parse', 'HEAD').trim() };
}
