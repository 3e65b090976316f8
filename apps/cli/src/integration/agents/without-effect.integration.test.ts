import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../testing/agent.ts';
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

test('a call that cannot succeed needs no approval, and its agent is told what to do', async () => {
  await using own = await openTestServer({ files: { 'a.txt': 'one\n' }, settings: ASKING });
  const { workspace } = own.of;
  const agent = await startAgent(workspace, 'codex');
  try {
    expect(await agent.call('git_commit', { message: 'Nothing' })).toMatch(
      /Cannot commit: nothing is staged[^]*Stage files with signalbox_git_add first, or give signalbox_git_commit the `paths`/,
    );
    expect(await agent.bash('git push')).toMatch(
      /Cannot push: no remote is configured[^]*git remote add origin ADDRESS/,
    );
    hostGit(workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
    expect(await agent.bash('git push --force orgin main')).toMatch(
      /Cannot push: there is no remote "orgin"; did you mean "origin"\?[^]*Push to one of: origin/,
    );
    expect(await agent.bash('frobnicate --all')).toMatch(
      /program "frobnicate" is not installed in the sandbox[^]*Use another program/,
    );
    rmSync(join(workspace, '.git'), { recursive: true });
    for (const [tool, args] of [
      ['git_add', { paths: ['a.txt'] }],
      ['git_commit', { message: 'x', paths: ['a.txt'] }],
      ['git_status', {}],
    ] as const)
      expect(await agent.call(tool, args)).toMatch(
        new RegExp(`Cannot run signalbox_${tool}: the workspace is not in a git repository[^]*git init`),
      );
    expect(await agent.bash('git push origin main')).toContain('this folder is not in a git repository');
    expect(await questions(own.of)).toBe(0);
    expect(own.of.auditLines().map(({ result }) => result)).toEqual(
      Array.from({ length: 8 }, () => 'failed'),
    );
  } finally {
    await agent.leave();
  }
});

test('a missing program is reported at once, whatever else of the session waits, and in lines of several parts', async () => {
  await using own = await openTestServer({
    files: { 'node_modules/.bin/madelint': '#!/bin/sh\n', 'sub/a.txt': 'a\n' },
    settings: ASKING,
  });
  const open = own.of.submit('openai', 'bash', { args: { line: 'touch x' } });
  const unknown = own.of.submit('openai', 'bash', { args: { line: 'sh -c "frob"' } });
  expect([await open.resting, await unknown.resting]).toEqual(['pending', 'pending']);
  const failureOf = async (line: string): Promise<string> => {
    const { failure } = await own.of.call('openai', 'bash', { line });
    return `${failure?.code}: ${failure?.message} - ${failure?.suggestion}`;
  };
  expect(await failureOf('frobnicate .')).toBe(
    'no-program: Cannot run this line: program "frobnicate" is not installed in the sandbox - ' +
      'Use another program, run it by its path, or ask your user to install it',
  );
  expect(await failureOf('frobnicate "$FILES" 2>&1 | head -5')).toBe(
    'no-program: Cannot run part 1 of this line: program "frobnicate" is not installed in the sandbox. Nothing of the line ran - ' +
      'Use another program, run it by its path, or ask your user to install it',
  );
  expect(await failureOf('cat sub/a.txt | frobnicate > out.txt')).toContain('Cannot run part 2 of this line');
  expect(await failureOf('cd sub && frobnicate . && touch y')).toContain('Cannot run part 2 of this line');
  expect(await failureOf('frobnicate . || true')).toContain('Cannot run part 1 of this line');
  // The nearby name, and what was misspelt.
  expect(await failureOf('madelint .')).toContain(
    'It is installed in this workspace: run it as npx madelint',
  );
  expect(await failureOf('cd sub && madelint .')).toContain('run it as npx madelint');
  expect(await failureOf('madelnt .')).toContain(
    'program "madelnt" is not installed in the sandbox; did you mean "npx madelint"?',
  );
  expect(await failureOf('fnid . -name x')).toContain('did you mean "find"?');
  expect(await questions(own.of)).toBe(2);
});

test('a fetch from a missing remote, a missing branch and a missing script are reported at once', async () => {
  await using own = await openTestServer({ files: { 'scripts/build.sh': 'true\n' }, settings: ASKING });
  const { workspace } = own.of;
  const failureOf = async (line: string): Promise<string> => {
    const { failure } = await own.of.call('openai', 'bash', { line });
    return `${failure?.code}: ${failure?.message} - ${failure?.suggestion}`;
  };
  const add = 'Ask your user to add it in their terminal: git remote add origin ADDRESS';
  expect(await failureOf('git fetch')).toBe(`no-remote: Cannot fetch: no remote is configured - ${add}`);
  expect(await failureOf('git pull --rebase')).toBe(
    `no-remote: Cannot pull: no remote is configured - ${add}`,
  );
  hostGit(workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  expect(await failureOf('git fetch --depth 1 orgin 2>&1 | tail -1')).toBe(
    'no-remote: Cannot fetch in part 1 of this line: there is no remote "orgin"; did you mean "origin"? Nothing of the line ran - ' +
      'Fetch from one of: origin',
  );
  expect(await failureOf('cd scripts && git push -u origin mian')).toContain(
    'Cannot push in part 2 of this line: there is no branch or tag "mian"; did you mean "main"?',
  );
  expect(await failureOf('./bild.sh')).toContain(
    'not-found: Cannot run this line: there is no file "./bild.sh" - ',
  );
  expect(await failureOf('cd scripts && ./bild.sh -x')).toContain(
    'Cannot run part 2 of this line: there is no file "./bild.sh"; did you mean "./build.sh"?',
  );
  expect(await failureOf('./scripts')).toContain('not-a-file: Cannot run this line: "./scripts" is a folder');
  expect(await questions(own.of)).toBe(0);
  // Anything that may still be created, or may not be inspected, needs approval.
  const open = own.of.submit('openai', 'write_file', { args: { path: 'x.sh', content: 'true' } });
  expect(await open.resting).toBe('pending');
  for (const [provider, line] of [
    ['openai', './x.sh'],
    ['google', './x.sh'],
    ['google', './secrets/x.sh'],
    ['google', 'git fetch'],
    ['google', 'git push origin main'],
    ['google', 'git pull origin mian'],
    ['google', 'git fetch --all'],
  ] as const) {
    const { resting } = own.of.submit(provider, 'bash', { args: { line } });
    expect([line, await resting]).toEqual([line, 'pending']);
  }
});

test('a program that an open command may install still needs approval, whichever session it comes from', async () => {
  await using own = await openTestServer({ files: { 'a.txt': 'one\n' }, settings: ASKING });
  const install = own.of.submit('openai', 'bash', { args: { line: 'npm install frobnicate' } });
  expect(await install.resting).toBe('pending');
  for (const provider of ['openai', 'google']) {
    const call = own.of.submit(provider, 'bash', { args: { line: 'frobnicate .' } });
    expect([provider, await call.resting]).toEqual([provider, 'pending']);
  }
});

test('approval is requested whenever failure is not certain', async () => {
  await using own = await openTestServer({
    files: { 'a.txt': 'one\n', 'sub/b.txt': 'b\n' },
    settings: ASKING,
  });
  const { workspace } = own.of;
  hostGit(workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  mkdirSync(join(workspace, 'bare'));
  mkdirSync(join(workspace, 'tools'));
  writeFileSync(join(workspace, 'tools/made-here'), '#!/bin/sh\n');
  chmodSync(join(workspace, 'tools/made-here'), 0o755);
  const asked = [
    // Names that a line itself defines, builds or creates.
    'frob() { touch x; }; frob',
    'shopt -s expand_aliases; alias frob=touch',
    'PATH=$PWD/tools:$PATH made-here',
    'export PATH=$PWD/tools:$PATH; made-here',
    'bash -c "frobnicate"',
    'cp tools/made-here frob && ./frob',
    'touch x; frobnicate',
    'frobnicate || touch x',
    '! frobnicate',
    'command -v frobnicate',
    'exec frobnicate',
    'frobnicate . | cat && touch x',
    'frobnicate . ; touch x',
    'frobnicate "$(touch x)"',
    'test -f a.txt && frobnicate',
    'frobnicate &',
    'printf -v PATH tools && frobnicate',
    // Pushes that may have a target.
    'git push origin main',
    'git push https://git.example/b.git main',
    'git push ../other.git main',
    'git push bare main',
    'git -c remote.next.url=../next push next main',
    'git push "$REMOTE" main',
  ];
  // Each in its own session: a call that an earlier one may prepare is not checked.
  for (const [n, line] of asked.entries()) {
    const { resting } = own.of.submit(`agent-${n}`, 'bash', { args: { line } });
    expect({ line, rests: await resting }).toEqual({ line, rests: 'pending' });
  }
  hostGit(workspace, 'config', 'url.https://git.example/.insteadOf', 'short');
  const short = own.of.submit('short', 'bash', { args: { line: 'git push shorty main' } });
  expect(await short.resting).toBe('pending');
  const viaClient = own.of.submit('client', 'bash', {
    args: { line: 'made-here' },
    context: { clientEnv: { PATH: `${join(workspace, 'tools')}:/usr/bin:/bin` } },
  });
  expect(await viaClient.resting).toBe('pending');

  writeFileSync(join(workspace, 'a.txt'), 'two\n');
  const named = own.of.submit('named', 'git_commit', { args: { message: 'x', paths: ['a.txt'] } });
  expect(await named.resting).toBe('pending');
  hostGit(workspace, 'add', 'a.txt');
  const staged = own.of.submit('google', 'git_commit', { args: { message: 'x' } });
  expect(await staged.resting).toBe('pending');
  hostGit(workspace, 'reset', '-q', '--hard');
  hostGit(workspace, 'checkout', '-q', '-b', 'topic');
  hostGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'theirs');
  hostGit(workspace, 'checkout', '-q', 'main');
  hostGit(workspace, 'commit', '-q', '--allow-empty', '-m', 'ours');
  hostGit(workspace, 'merge', '-q', '--no-commit', 'topic');
  const merge = own.of.submit('mistral', 'git_commit', { args: { message: 'Merge' } });
  expect(await merge.resting).toBe('pending');
});
