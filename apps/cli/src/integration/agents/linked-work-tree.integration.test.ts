import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

/** A repository, and a work tree linked to it by `git worktree add`, elsewhere. */
function linkedWorkTree(): Readonly<{ main: string; linked: string }> {
  const main = ownWorkspace({ 'a.txt': 'one\n' });
  const beside = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-linked-')));
  onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
  const linked = join(beside, 'tree');
  hostGit(main, 'remote', 'add', 'upstream', 'https://git.example/a.git');
  hostGit(main, 'worktree', 'add', '-q', '-b', 'side', linked);
  return { main, linked };
}

test('in a work tree linked to a repository outside, nothing is refused early that git may do, and no remote is shown', async () => {
  const { linked } = linkedWorkTree();
  const commit = { tool: 'git_commit', args: { message: 'second' }, provider: 'openai' };
  const bash = (line: string) => ({ tool: 'bash', args: { line }, provider: 'openai' });
  await using own = await openTestServer({ workspace: linked });
  const ask = (body: object) =>
    own.ask<{ state: string; result: unknown; approval: unknown }>('POST', '/api/commands', { body });
  const refused = await own.of.call('openai', 'git_commit', { message: 'second' });
  expect(refused.outcome).toMatchObject({ kind: 'failed', failure: { code: 'nothing-staged' } });
  writeFileSync(join(linked, 'a.txt'), 'two\n');
  hostGit(linked, 'add', 'a.txt');
  const staged = await own.of.call('openai', commit.tool, commit.args);
  expect(staged.outcome).not.toMatchObject({ failure: { code: 'nothing-staged' } });
  for (const line of ['git push nosuch', 'git push upstream side', 'git push']) {
    const { body } = await ask(bash(line));
    expect([line, body.state]).toEqual([line, 'awaiting_approval']);
    expect([line, JSON.stringify(body)]).toEqual([line, expect.not.stringContaining('git.example')]);
  }
});

test('doctor says that commands can’t write the repository of such a work tree, and what to do', async () => {
  const { main, linked } = linkedWorkTree();
  const doctor = await createTestTerminal(linked).signalbox('doctor');
  expect(doctor.out).toContain(`linked to the repository ${main}/.git: it is outside`);
  expect(doctor.out).toContain(`signalbox -C ${main} init`);
  hostGit(main, 'worktree', 'add', '-q', '-b', 'below', 'trees/below');
  expect((await createTestTerminal(main).signalbox('doctor')).out).toContain(', a git workspace');
});
