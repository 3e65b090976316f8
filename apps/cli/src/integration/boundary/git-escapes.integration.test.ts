import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostGit, LAYERS } from '../../testing/host-git.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const FREE = { approval: { approval_mode: 'allow_all' } } as const;

/** A repository whose settings run a program whenever git reads it. */
const EVIL = `printf '#!/bin/sh\\ntouch "$PWD/../PWNED" "$PWD/PWNED"\\n' > ev.sh; chmod +x ev.sh
evil() { printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tfsmonitor = %s/ev.sh\\n' "$TOP" > "$1/config"; }
TOP=$PWD
`;

type Setup = (at: (path: string) => string, git: (...args: readonly string[]) => void) => void;
type Attack = readonly [name: string, script: string, setup?: Setup];

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
};

const ATTACKS: readonly Attack[] = [
  ['G1: a commondir', 'mkdir -p ev/objects ev/refs; evil ev; echo ../ev > .git/commondir'],
  [
    'G2: a gitlink to a new repository',
    'git init -q sub; git -C sub commit -q --allow-empty -m x; evil sub/.git; git add sub',
  ],
  [
    'G3: the workspace itself as a repository',
    'mkdir -p objects refs; cp .git/HEAD HEAD; evil .; rm .git/HEAD',
  ],
  [
    'G4: a hook where core.hooksPath says',
    'printf "#!/bin/sh\\ntouch PWNED\\n" > .husky/_/pre-commit; chmod +x .husky/_/pre-commit',
    (at, git) => {
      put(at('.husky/_/h'), '#!/bin/sh\n');
      git('config', 'core.hooksPath', '.husky/_');
    },
  ],
  [
    'G7: a file that include.path names',
    'printf "[core]\\n\\tfsmonitor = $TOP/ev.sh\\n" > .gitconfig',
    (_, git) => git('config', 'include.path', '../.gitconfig'),
  ],
  [
    'G9: the commondir of a linked work tree',
    'mkdir -p ev/objects ev/refs; evil ev; cp .git/HEAD ev/; echo "$TOP/ev" > .git/worktrees/wt/commondir',
    (_, git) => git('worktree', 'add', '-q', '-b', 'wt', 'wt'),
  ],
  [
    'a file .git that leads elsewhere',
    'mkdir -p wt ev/objects ev/refs; evil ev; cp .git/HEAD ev/; echo "gitdir: $TOP/ev" > wt/.git',
  ],
  [
    'a bare repository',
    'git init -q --bare wt; printf "[core]\\n\\tfsmonitor = $TOP/ev.sh\\n\\tworktree = .\\n" >> wt/config',
  ],
  [
    'settings hidden behind a comment',
    `git init -q wt; printf '%s\\n' '[core]' '; x \\' "fsmonitor = $TOP/ev.sh" >> wt/.git/config`,
  ],
  [
    'two sections in one row',
    'git init -q wt; printf "[user] [core] fsmonitor = $TOP/ev.sh\\n" >> wt/.git/config',
  ],
  [
    'settings of a submodule of a new repository',
    'git init -q wt; mkdir -p wt/.git/modules; git init -q --bare wt/.git/modules/m; evil wt/.git/modules/m',
  ],
  ['objects from elsewhere', 'echo /etc > .git/objects/info/alternates'],
  ['a HEAD that is a link', 'ln -sf ../ev.sh .git/HEAD'],
  ['a HEAD that names nothing', 'echo x > .git/HEAD'],
  ['the objects away', 'mv .git/objects .git/ORIG'],
  ['a HEAD that leads out of the refs', 'echo "ref: refs/heads/../../x" > .git/HEAD'],
  [
    'folders that make a repository of files that stand',
    'mkdir wt/objects wt/refs',
    (at) => {
      put(at('wt/HEAD'), 'ref: refs/heads/main\n');
      put(at('wt/config'), `[core]\n\tfsmonitor = ${at('ev.sh')}\n\tworktree = .\n`);
    },
  ],
  [
    'a HEAD beside a commondir that stands',
    'cp .git/HEAD wt/HEAD',
    (at) => {
      put(at('wt/commondir'), '../ev\n');
      put(at('ev/objects/x'), '');
      put(at('ev/refs/x'), '');
      put(at('ev/config'), `[core]\n\tfsmonitor = ${at('ev.sh')}\n\tworktree = ../wt\n`);
    },
  ],
  [
    'a HEAD beside settings that are touched meanwhile',
    'chmod 600 wt/config; mkdir wt/refs wt/objects; cp .git/HEAD wt/HEAD',
    (at) => put(at('wt/config'), `[core]\n\tfsmonitor = ${at('ev.sh')}\n\tworktree = .\n`),
  ],
  [
    'a repository inside the git folder of a work tree',
    'd=.git/worktrees/x/y; mkdir -p wt $d/objects $d/refs; cp .git/HEAD $d/; evil $d; echo "gitdir: $TOP/$d" > wt/.git',
  ],
  [
    'a submodule of a new submodule',
    'm=.git/modules/a; git init -q --bare $m; git init -q --bare $m/modules/b; evil $m/modules/b; mkdir wt; echo "gitdir: $TOP/$m/modules/b" > wt/.git',
  ],
  ['settings for a submodule that comes later', 'mkdir -p .git/modules/a/b; evil .git/modules/a/b'],
  [
    'a repository among the data of a submodule',
    'd=.git/modules/a/lfs/b; mkdir -p wt $d/objects $d/refs; cp .git/HEAD $d/; evil $d; echo "gitdir: $TOP/$d" > wt/.git',
    (_, git) => git('init', '-q', '--bare', '.git/modules/a'),
  ],
  [
    'a rebase that runs a program when the person goes on with it',
    'mkdir -p .git/rebase-merge; echo "exec ./ev.sh" > .git/rebase-merge/git-rebase-todo',
  ],
  ['grafts', 'mkdir -p .git/info; echo x > .git/info/grafts'],
];

describe.each(LAYERS)(
  'the user’s next git command runs nothing that a command left, in the layer %s',
  (layer, settings) => {
    test.for(ATTACKS)('%s (R-A2)', async ([, script, setup]) => {
      const workspace = createTestWorkspace({ 'a.txt': 'a\n' });
      const at = (path: string): string => join(workspace, path);
      setup?.(at, (...args) => hostGit(workspace, ...args));
      await using own = await openTestRuntime({ settings: { ...FREE, ...settings }, workspace });
      writeFileSync(at('x.sh'), `${EVIL}${script}\nexit 0\n`);
      const { commandId, result } = own.submit('openai', 'bash', { args: { line: 'bash x.sh' } });
      const question = own.event('approval_requested', (event) => event.commandId === commandId);
      if ('type' in (await Promise.race([question, result]))) {
        const shown = (await own.runtime.store.get(commandId))?.approval?.callHash;
        if (shown !== undefined)
          await own.runtime.coordinator.approvals.answer(
            commandId,
            { kind: 'deny' },
            { by: ANA, expect: shown },
          );
      }
      const done = await result;
      // Writing to an overmounted file fails inside the script.
      const isStopped = !done.success || /Read-only|busy|Permission denied/.test(done.content);
      expect([done.success ? done.isolation?.layer : layer, isStopped]).toEqual([layer, true]);
      for (const folder of ['.', 'sub', 'wt'].filter((name) => existsSync(at(name)))) {
        hostGit(at(folder), 'status');
        hostGit(at(folder), 'commit', '-q', '--allow-empty', '-m', 'x');
      }
      expect(existsSync(at('PWNED')) || existsSync(join(workspace, '../PWNED'))).toBe(false);
      expect(existsSync(at('.git/HEAD'))).toBe(true);
    });
  },
);

describe.each([
  ['overlay', {}],
  ['bind', { tools: { shell: { transactional: false } } }],
] as const)('a bare repository among the files of a project, in the layer %s', (layer, settings) => {
  test.for(['cd fixtures/bare && git diff', 'git -C fixtures/bare diff', 'bash x.sh'])(
    'runs no program named in its settings: %s',
    async (line) => {
      const workspace = createTestWorkspace({ 'x.sh': 'cd fixtures/bare; git diff; git status\n' });
      const bare = join(workspace, 'fixtures/bare');
      hostGit(workspace, 'clone', '-q', '--bare', '.', bare);
      for (const [key, value] of [
        ['core.bare', 'false'],
        ['core.worktree', '..'],
        ['diff.external', 'echo RAN; true'],
      ] as const)
        hostGit(bare, '--git-dir=.', 'config', key, value);
      hostGit(bare, 'reset', '-q');
      writeFileSync(join(workspace, 'fixtures/x.sh'), 'changed\n');
      expect(hostGit(bare, 'diff')).toContain('RAN');
      await using own = await openTestRuntime({ settings: { ...FREE, ...settings }, workspace });
      const done = await own.call('openai', 'bash', { line });
      expect(done).toMatchObject({ isolation: { layer } });
      expect(done.content).not.toContain('RAN');
    },
  );

  test('can still be a remote: cloned, fetched and pushed to by its path', async () => {
    await using own = await openTestRuntime({
      settings: { ...FREE, ...settings },
      files: { 'a.txt': 'a\n' },
    });
    writeFileSync(
      join(own.workspace, 'x.sh'),
      `set -e; git init -q --bare remote.git; git push -q ./remote.git main
        git clone -q -b main remote.git c; cd c; echo b > a.txt; git commit -qam b; git push -q origin main
        git fetch -q origin; git --git-dir=../remote.git log --format=%s main\n`,
    );
    expect(await own.call('openai', 'bash', { line: 'bash x.sh' })).toMatchObject({
      success: true,
      content: expect.stringContaining('b\nstart'),
    });
  });
});
