import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import type { TestRuntime } from '../../testing/open-test-runtime.ts';

/** Every call that is not read-only needs approval. */
const ASKING = { approval: { approval_mode: 'prompt' } };

async function questions({ runtime }: TestRuntime): Promise<number> {
  const replay = await runtime.events.since(null, 100_000);
  return replay.kind === 'events'
    ? replay.events.filter(({ type }) => type === 'approval_requested').length
    : NaN;
}

test('a well-known program or a branch that is missing is reported before and after a run', async () => {
  const files = { 'node_modules/.bin/esbuildx': '', 'node_modules/.bin/oxlintx': '', 'a.txt': 'a\n' };
  for (const settings of [ASKING, {}]) {
    await using own = await openTestServer({ files, settings });
    hostGit(own.of.workspace, 'branch', 'topic');
    const said = async (line: string): Promise<string> =>
      (await own.of.call('openai', 'bash', { line })).content;
    expect(await said('mix test')).toContain('program "mix" is not installed in the sandbox');
    expect(await said('(oxlintx)')).toContain('It is installed in this workspace: run it as npx oxlintx');
    expect(await said('{ oxlintx; frobnicate x; }')).toContain('run it as npx oxlintx');
    expect(await said('oxlintx .; frobnicate || gorf')).toContain('run it as npx oxlintx');
    const topik = await said('git checkout topik');
    expect(topik).toContain(
      'Cannot check out: there is no branch, tag, file or remote branch "topik"; did you mean "topic"?',
    );
    expect(topik).toMatch(/Choose one of: \w+, \w+; or make it: git switch -c topik/);
    expect(await said('git switch nosuch')).toContain('there is no branch, tag or remote branch "nosuch"');
    expect(await questions(own.of)).toBe(0);
  }
});

test('a checkout that may succeed needs approval, whatever it names', async () => {
  await using own = await openTestServer({ files: { 'a.txt': 'a\n', 'gone.txt': 'x\n' }, settings: ASKING });
  const { workspace } = own.of;
  hostGit(workspace, 'tag', 'v1');
  hostGit(workspace, 'update-ref', 'refs/remotes/up/theirs', 'HEAD');
  hostGit(workspace, 'update-ref', 'refs/elsewhere/mirrored', 'HEAD');
  hostGit(workspace, 'pack-refs', '--all');
  rmSync(join(workspace, 'gone.txt'));
  const asked = [
    'a.txt',
    'gone.txt',
    'GONE.TXT',
    'v1',
    'theirs',
    'mirrored',
    'up/theirs',
    'HEAD',
    'HEAD~0',
    'abcd',
    '-',
    '@',
    ':/start',
    'main^{}',
    '-b next',
    '-- nosuch',
    'main nosuch',
    '"$REF"',
    'nosuch*',
    'secrets',
  ].map((rest) => `git checkout ${rest}`);
  for (const [n, line] of [
    ...asked,
    'git switch -c nosuch',
    'git stash; git checkout nosuch',
    'cat a.txt; frob',
  ].entries()) {
    const { resting } = own.of.submit(`agent-${n}`, 'bash', { args: { line } });
    expect({ line, rests: await resting }).toEqual({ line, rests: 'pending' });
  }
  // A branch that may be created meanwhile.
  const maker = own.of.submit('maker', 'bash', { args: { line: 'git branch nosuch' } });
  await maker.resting;
  expect(await own.of.submit('other', 'bash', { args: { line: 'git checkout nosuch' } }).resting).toBe(
    'pending',
  );
});

test('staging or committing a path that neither exists nor is known to git needs no approval', async () => {
  await using own = await openTestServer({
    files: { 'src/a.txt': 'a\n', 'gone.txt': 'x\n', 'old/b.txt': 'b\n', '*.md': 'x\n' },
    settings: ASKING,
  });
  for (const path of ['gone.txt', 'old']) rmSync(join(own.of.workspace, path), { recursive: true });
  const refused = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const { failure } = await own.of.call('openai', tool, args);
    return `${failure?.code}: ${failure?.message} - ${failure?.suggestion}`;
  };
  expect(await refused('git_add', { paths: ['gone.txt', 'a.txt'] })).toBe(
    'not-found: Cannot stage "a.txt": there is no such file, and git tracks none. Nothing was staged - Did you mean src/a.txt?',
  );
  expect(await refused('git_commit', { message: 'x', paths: ['src/nosuch.ts'] })).toContain(
    'Cannot commit "src/nosuch.ts": there is no such file',
  );
  expect(await refused('git_add', { paths: ['*.txt'] })).toContain('Cannot stage "*.txt"');
  expect(await questions(own.of)).toBe(0);
  for (const [n, paths] of [['gone.txt'], ['old'], ['.'], ['src'], ['*.md']].entries())
    for (const tool of ['git_add', 'git_commit']) {
      const args = tool === 'git_add' ? { paths } : { paths, message: 'x' };
      const { resting } = own.of.submit(`agent-${tool}-${n}`, tool, { args });
      expect({ tool, paths, rests: await resting }).toEqual({ tool, paths, rests: 'pending' });
    }
  // Created by an earlier call of the session.
  const made = own.of.submit('maker', 'write_file', { args: { path: 'new.txt', content: 'x' } });
  const staged = own.of.submit('maker', 'git_add', { args: { paths: ['new.txt'] } });
  expect(await Promise.all([made.resting, staged.resting])).toEqual(['pending', 'pending']);
});
