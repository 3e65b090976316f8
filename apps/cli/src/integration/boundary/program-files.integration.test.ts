import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Submitted } from '@signalbox/coordinator';
import { type CommandRecord, InvariantError } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const FREE = { approval: { approval_mode: 'allow_all' } } as const;

const DANGEROUS = wordsOf(`
  .claude/settings.json .mcp.json .codex/config.toml .gemini/settings.json opencode.json
  .opencode/plugin/p.js .cursor/mcp.json .kiro/settings/mcp.json .qwen/settings.json .aider.conf.yml
  crush.json .nvim.lua .gdbinit mise.toml .mise.local.toml .vscode/tasks.json a.code-workspace
  .idea/workspace.xml .zed/tasks.json .envrc .devcontainer/devcontainer.json .husky/pre-commit lefthook.yml
  .Rprofile .helix/languages.toml .vim/plugin/p.vim .lazy.lua .dir-locals.el .irbrc .pryrc .pdbrc .iex.exs
  .ghci .ocamlinit .octaverc .byebugrc .vimrc _vimrc .gvimrc .exrc .lvimrc .vimrc.local .ycm_extra_conf.py
  .kakrc .autoenv .autoenv.zsh .yarn/plugins/p.cjs .mvn/extensions.xml .mvn/jvm.config .bazelrc .bazeliskrc
  .agents/skills/a/SKILL.md .agent/rules/a.md .openhands/setup.sh .factory/settings.json .kilocode/mcp.json .vs/tasks.vs.json .fleet/run.json
  a.sublime-project .tmuxinator.yml .trae/mcp.json .pre-commit-config.yaml tools/hooks/pre-commit tools/clean.sh .gitconfig sub/.mcp.json
  sub/.signalbox/redis.json
`);
const ASKS = wordsOf(`
  CLAUDE.md AGENTS.md AGENT.md .rules GEMINI.md CLAUDE.local.md .github/copilot-instructions.md .windsurfrules
  .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile .forgejo/workflows/ci.yml
  bunfig.toml QWEN.md lib/sitecustomize.py .npmrc .yarnrc.yml .pnpmfile.cjs .cargo/config.toml
  .gitattributes .gitmodules sub/conftest.py node_modules/.bin/tsc .venv/lib/x.pth
`);
const PLAIN = [
  'src/a.ts',
  '.yarn/releases/yarn.cjs',
  '.mvn/maven.config',
  'node_modules/p/AGENTS.md',
  '.vscode/extensions.json',
  '.github/CODEOWNERS',
];

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** A script that writes all of them, undeclared. */
const writing = (paths: readonly string[]): string =>
  paths.map((path) => `mkdir -p "$(dirname ${path})"; echo x > ${path}`).join('\n');

/** The stored approval of a call; its result, if no approval is needed. */
async function asked(own: TestRuntime, { commandId, result }: Submitted): Promise<CommandRecord> {
  const question = own.event('approval_requested', (event) => event.commandId === commandId);
  const first = await Promise.race([question, result]);
  const record = await own.runtime.store.get(commandId);
  if (record?.approval == null) throw new InvariantError(`nobody was asked: ${JSON.stringify(first)}`);
  return record;
}

async function say(own: TestRuntime, kind: 'approve' | 'deny', record: CommandRecord): Promise<void> {
  const { approvals } = own.runtime.coordinator;
  const shown = record.approval?.callHash;
  if (shown !== undefined) await approvals.answer(record.id, { kind }, { by: ANA, expect: shown });
}

const reasonsOf = ({ verdict }: CommandRecord, code: string): readonly string[] =>
  (verdict?.reasons ?? []).flatMap((one) =>
    one.code === code ? [/^\w+ (.*), read/.exec(one.text)?.[1] ?? ''] : [],
  );

const run = (own: TestRuntime, line: string): Submitted => own.submit('openai', 'bash', { args: { line } });
const exists = (own: TestRuntime, path: string): boolean => existsSync(join(own.workspace, path));

describe('files that the user’s programs read as settings or code', () => {
  test('need approval by name when a script created them, each once, and approval runs it again (A-B2, R-D)', async () => {
    await using own = await openTestRuntime({
      settings: FREE,
      files: { 'x.sh': `${writing([...DANGEROUS, ...ASKS, ...PLAIN])}\n` },
    });
    // Files named by the repository's own configuration.
    for (const [key, value] of [
      ['core.hooksPath', 'tools/hooks'],
      ['filter.x.clean', 'sh tools/clean.sh %f'],
      ['include.path', '../.gitconfig'],
    ] as const)
      execFileSync('git', ['config', key, value], { cwd: own.workspace });
    mkdirSync(join(own.workspace, 'tools'));
    writeFileSync(join(own.workspace, 'tools/clean.sh'), 'cat\n');
    const call = run(own, 'sh x.sh');
    const record = await asked(own, call);
    expect(reasonsOf(record, 'program-settings').toSorted()).toEqual(DANGEROUS.toSorted());
    expect(reasonsOf(record, 'program-file').toSorted()).toEqual(ASKS.toSorted());
    expect(record.approval?.again).toMatchObject([{ because: 'writes' }]);
    expect(PLAIN.map((path) => exists(own, path))).toEqual(PLAIN.map(() => false));
    await say(own, 'approve', record);
    expect(await call.result).toMatchObject({ success: true });
    expect([...DANGEROUS, ...ASKS, ...PLAIN].filter((path) => !exists(own, path))).toEqual([]);
    expect(own.auditLines()).toHaveLength(1);
  });

  test.for([
    ['ln -s src .vscode', '.vscode'],
    ['sh x.sh', 'sub/.github'],
  ] as const)('need approval if a link creates them: %s', async ([line, path]) => {
    await using own = await openTestRuntime({
      settings: FREE,
      files: { 'src/tasks.json': '{}\n', 'sub/a': 'a\n', 'x.sh': 'ln -s ../src sub/.github' },
    });
    const record = await asked(own, run(own, line));
    expect(JSON.stringify(record.verdict?.reasons)).toContain(`writes ${path}, read by`);
    await say(own, 'deny', record);
    expect(exists(own, path)).toBe(false);
  });

  test('are not committed after a denial, or if no approval is possible, and the result names them', async () => {
    await using own = await openTestRuntime({
      settings: FREE,
      files: { 'x.sh': 'echo {} > .mcp.json; echo x > out' },
    });
    const call = run(own, 'sh x.sh');
    await say(own, 'deny', await asked(own, call));
    expect(await call.result).toMatchObject({ outcome: { kind: 'denied' } });
    const silent = await own.submit('openai', 'bash', {
      args: { line: 'sh x.sh' },
      context: { asking: 'never' },
    }).result;
    expect(silent).toMatchObject({ success: false, failure: { code: 'commit-refused' } });
    expect(silent.content).toContain('.mcp.json');
    expect([exists(own, '.mcp.json'), exists(own, 'out')]).toEqual([false, false]);
  });

  test.for([
    ['write_file', { path: '.claude/settings.json', content: '{}' }],
    ['write_file', { path: 'AGENTS.md', content: 'x' }],
    ['delete_file', { path: '.npmrc' }],
    ['bash', { line: 'echo x > .mcp.json' }],
    ['bash', { line: 'rm .npmrc' }],
    ['bash', { line: 'mv .github old' }],
    ['bash', { line: 'mv a.txt .envrc' }],
    ['bash', { line: 'ln -s a.txt CLAUDE.md' }],
    ['bash', { line: 'cp a.txt .github/workflows/ci.yml' }],
  ] as const)('need approval before %s %j runs, whatever the approval mode', async ([tool, args]) => {
    await using own = await openTestRuntime({
      settings: {
        approval: { approval_mode: 'allow_all' },
        agents: { tool_execution: { auto_approve_tools: [tool] } },
      },
      files: { '.npmrc': 'a\n', 'a.txt': 'a\n', '.github/workflows/a.yml': 'a\n' },
    });
    await own.call('openai', 'read_file', { path: '.npmrc' });
    const record = await asked(own, own.submit('openai', tool, { args }));
    expect(record.approval?.again).toEqual([]);
    await say(own, 'deny', record);
  });

  test('of the lighter grade are allowed by the user’s own rule for the path, dangerous ones never', async () => {
    const rules = ['AGENTS.md', '.mcp.json'].map((path, index) => ({ id: `r${index}`, allow: { path } }));
    await using own = await openTestRuntime({
      settings: { ...FREE, rules },
      files: { 'a.sh': 'echo x > AGENTS.md', 'b.sh': 'echo x > .mcp.json' },
    });
    expect(await own.call('openai', 'write_file', { path: 'AGENTS.md', content: 'x' })).toMatchObject({
      success: true,
    });
    expect(await own.call('openai', 'bash', { line: 'sh a.sh' })).toMatchObject({ success: true });
    await say(own, 'deny', await asked(own, run(own, 'sh b.sh')));
  });

  test('written by `connect` are refused, from any program', async () => {
    await using own = await openTestRuntime({
      settings: FREE,
      files: { '.mcp.json': '{}\n', 'x.sh': 'echo evil > .mcp.json', 'y.sh': 'rm -f .mcp.json' },
    });
    const receipt = { claude: { '.mcp.json': [] } };
    writeFileSync(join(own.workspace, '.signalbox/connected.json'), JSON.stringify(receipt));
    for (const line of ['echo evil > .mcp.json', 'rm .mcp.json', 'sh x.sh', 'sh y.sh']) {
      expect(await own.call('openai', 'bash', { line })).toMatchObject({ success: false });
    }
    const written = await own.call('openai', 'write_file', { path: '.mcp.json', content: 'evil' });
    expect(written).toMatchObject({ outcome: { kind: 'blocked' } });
    expect(own.read('.mcp.json')).toBe('{}\n');
  });

  test('are read-only for a line in the workspace itself, unless it named one and was approved', async () => {
    await using own = await openTestRuntime({
      settings: { ...FREE, tools: { shell: { transactional: false } } },
      files: {
        '.mcp.json': '{}\n',
        'sub/.claude/a.md': 'a\n',
        'x.sh': 'echo evil > .mcp.json; rm -f .mcp.json; mv sub/.claude x',
      },
    });
    expect(await own.call('openai', 'bash', { line: 'sh x.sh' })).toMatchObject({
      isolation: { layer: 'bind' },
    });
    expect([own.read('.mcp.json'), own.read('sub/.claude/a.md')]).toEqual(['{}\n', 'a\n']);
    const call = run(own, 'echo mine > .mcp.json');
    await say(own, 'approve', await asked(own, call));
    expect(await call.result).toMatchObject({ success: true });
    expect(own.read('.mcp.json')).toBe('mine\n');
  });
});

describe('don’t break git', () => {
  const open = async () => {
    const workspace = createTestWorkspace({
      'AGENTS.md': 'one\n',
      '.claude/commands/a.md': 'one\n',
      '.gitignore': '.signalbox\n*.local.json\n*.sh\n',
    });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace });
    git('checkout', '-q', '-b', 'other');
    writeFileSync(join(workspace, 'AGENTS.md'), 'two\n');
    writeFileSync(join(workspace, '.mcp.json'), '{}\n');
    git('rm', '-q', '.claude/commands/a.md');
    git('add', '-A');
    git('commit', '-q', '-m', 'two');
    git('checkout', '-q', 'main');
    return openTestRuntime({ settings: FREE, workspace });
  };

  test.for([
    ['git checkout other', 'two'],
    ['git merge -q other', 'two'],
    ['git pull -q . other', 'two'],
    ['sh stash.sh', 'one'],
  ] as const)('%s restores content of earlier commits without approval', async ([line, agents]) => {
    await using own = await open();
    const stash = 'git checkout -q other && git checkout -q main && git stash -q -u && git stash pop -q';
    writeFileSync(join(own.workspace, 'stash.sh'), `echo b > b.txt; ${stash}`);
    const done = await Promise.race([
      own.call('openai', 'bash', { line }),
      own.event('approval_requested').then(({ reason }) => reason),
    ]);
    expect(done).toMatchObject({ success: true });
    expect(own.read('AGENTS.md')).toBe(`${agents}\n`);
    const listed = typeof done === 'string' ? [] : done.files.map(({ path }) => path);
    expect(listed.includes('AGENTS.md')).toBe(agents === 'two');
  });

  test('in a commit made in the session, with whatever date, need approval when it is checked out', async () => {
    await using own = await open();
    writeFileSync(
      join(own.workspace, 'make.sh'),
      `blob=$(echo evil | git hash-object -w --stdin)
      export GIT_COMMITTER_DATE='2001-01-01T00:00' GIT_AUTHOR_DATE='2001-01-01T00:00'
      GIT_INDEX_FILE=/tmp/evil git update-index --add --cacheinfo 100644 $blob .mcp.json
      git branch evil $(git commit-tree -m x $(GIT_INDEX_FILE=/tmp/evil git write-tree))`,
    );
    expect(await own.call('openai', 'bash', { line: 'sh make.sh' })).toMatchObject({ success: true });
    await say(own, 'deny', await asked(own, run(own, 'git checkout evil -- .mcp.json')));
    expect(exists(own, '.mcp.json')).toBe(false);
  });

  test('not in any commit are not deleted without approval, though the next commit has none', async () => {
    await using own = await open();
    writeFileSync(join(own.workspace, '.claude/settings.local.json'), '{}\n');
    await say(
      own,
      'deny',
      await asked(own, run(own, 'sh -c "rm .claude/settings.local.json; git checkout -q other"')),
    );
    expect(exists(own, '.claude/settings.local.json')).toBe(true);
  });
});
