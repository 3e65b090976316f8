import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } } as const;
const FILES = {
  'src/a.ts': 'SHOWN in a\n',
  'src/deep/b.ts': 'SHOWN in b\n',
  'docs/d.md': 'HIDDEN in docs\n',
  'lib/keep/c.ts': 'SHOWN in c\n',
  'lib/other/c.ts': 'HIDDEN in lib\n',
  'top.txt': 'HIDDEN at the top\n',
};

/** In each layer, whatever the machine's default is. */
const LAYERS = {
  overlay: { shell: {} },
  bind: { shell: { transactional: false, snapshot_required: false } },
};

const bash = async (own: TestRuntime, line: string) => own.call('openai', 'bash', { line });

describe.each(Object.entries(LAYERS))('reading in the layer %s', (layer, { shell }) => {
  const settingsWith = (file: object) => ({ ...ALLOWED, tools: { shell, file } });

  test('allow_read limits what programs can open, not only what a line names (S001-D1, S001-25, S001-27) (setting: tools.file.allow_read)', async () => {
    const settings = settingsWith({ allow_read: ['src/**', 'lib/keep'] });
    await using own = await openTestRuntime({ settings, files: FILES });
    mkdirSync(join(own.workspace, 'node_modules/x'), { recursive: true });
    writeFileSync(join(own.workspace, 'node_modules/x/i.js'), 'HIDDEN in a package\n');
    const open = (path: string): string =>
      `try { console.log(require('fs').readFileSync(${JSON.stringify(path)}, 'utf8').trim()) } catch (e) { console.log(e.code) }`;
    const paths = [...Object.keys(FILES), 'node_modules/x/i.js', '.git/HEAD'];
    const script = join(own.workspace, 'src/read.js');
    writeFileSync(script, `${paths.map(open).join('\n')}\n`);
    const done = await bash(own, 'node src/read.js');
    expect(done.isolation?.layer).toBe(layer);
    expect(done.stdout.split('\n').filter((line) => line !== '')).toEqual([
      'SHOWN in a',
      'SHOWN in b',
      'ENOENT',
      'SHOWN in c',
      'ENOENT',
      'EACCES',
      'ENOENT',
      'ENOENT',
    ]);
    const named = await bash(own, 'cat docs/d.md');
    expect(named.failure).toMatchObject({ code: 'path_not_allowed' });
    expect(named.failure?.suggestion).toBe('Use a path below src/**, lib/keep');
  });

  test('a file that a changed policy denies is hidden from the next program (S001-D1)', async () => {
    await using own = await openTestRuntime({ settings: settingsWith({}), files: FILES });
    const line = "node -e \"console.log(require('fs').readFileSync('top' + '.txt', 'utf8'))\"";
    expect((await bash(own, line)).stdout).toContain('HIDDEN at the top');
    const next = parseSettings(settingsWith({ deny_read: ['top.txt'] }));
    if (next.kind === 'invalid') throw new Error(JSON.stringify(next.problems));
    own.runtime.applyPolicy(next.settings);
    const after = await bash(own, line);
    expect(after.stdout).not.toContain('HIDDEN');
    expect(after.exitCode).not.toBe(0);
  });

  test('tools that read a whole tree see what a listing shows (D11)', async () => {
    const settings = settingsWith({ allow_read: ['src/**', 'lib/keep'] });
    await using own = await openTestRuntime({ settings, files: FILES });
    const found = await own.call('openai', 'search_files', { pattern: 'SHOWN|HIDDEN' });
    expect(found.content.split('\n').filter((line) => line.includes(':1:'))).toEqual([
      'lib/keep/c.ts:1:SHOWN in c',
      'src/a.ts:1:SHOWN in a',
      'src/deep/b.ts:1:SHOWN in b',
    ]);
    const listed = await own.call('openai', 'list_directory', { depth: 3 });
    expect(listed.content).toContain('src/deep/b.ts');
    expect(listed.content).not.toMatch(/docs|top\.txt|lib\/other/);
    const read = await own.call('openai', 'read_file', { path: 'top.txt' });
    expect(read.failure).toMatchObject({ code: 'path_not_allowed' });
    const grep = await bash(own, 'grep -rh SHOWN . 2>/dev/null');
    expect(grep.stdout).toContain('SHOWN in a');
    expect(grep.stdout).not.toContain('HIDDEN');
  });

  test('denied files in a tree don’t break searching it (D3) (setting: tools.file.deny_read)', async () => {
    const settings = settingsWith({ deny_read: ['**/*.pem', 'private/**'] });
    const files = { 'src/a.ts': 'FOUND\n', 'src/key.pem': 'FOUND\n', 'private/x': 'FOUND\n' };
    await using own = await openTestRuntime({ settings, files });
    const found = await own.call('openai', 'search_files', { pattern: 'FOUND' });
    expect(found.content).toContain(
      'src/a.ts:1:FOUND\n[1 file not shown: reading it is denied (secrets, .signalbox, or a list such as tools.file.deny_read)',
    );
  });

  test('a hard link to a protected file can’t be read (D2, R-B3)', async () => {
    const settings = settingsWith({ deny_read: ['private/**'] });
    await using own = await openTestRuntime({
      settings,
      files: { 'private/x': 'LEAK\n', 'docs/other.txt': 'FINE\n' },
    });
    const at = (path: string): string => join(own.workspace, path);
    mkdirSync(at('secrets'));
    writeFileSync(at('.env'), 'LEAK\n');
    writeFileSync(at('secrets/key'), 'LEAK\n');
    linkSync(at('.env'), at('docs/env.txt'));
    linkSync(at('secrets/key'), at('docs/key.txt'));
    linkSync(at('private/x'), at('docs/x.txt'));
    linkSync(at('docs/other.txt'), at('docs/twice.txt'));
    const done = await bash(own, 'cat docs/*.txt; true');
    expect(done.stdout).toBe('FINE\nFINE\n');
    expect((await own.call('openai', 'search_files', { pattern: 'LEAK' })).content).not.toContain('LEAK');
    for (const path of ['docs/env.txt', 'docs/key.txt', 'docs/x.txt'])
      expect((await own.call('openai', 'read_file', { path })).failure).toMatchObject({
        code: 'path_not_allowed',
      });
    expect((await own.call('openai', 'read_file', { path: 'docs/twice.txt' })).content).toBe('FINE\n');
  });
});

test.for(Object.entries(LAYERS))(
  'a tree with too many exclusions to mask refuses the command, and the mode stays, in the layer %s',
  async ([, { shell }]) => {
    const settings = { ...ALLOWED, tools: { shell, file: { allow_read: ['src/**'] } } };
    await using own = await openTestRuntime({ settings, files: FILES });
    for (let n = 0; n <= 5_000; n++) writeFileSync(join(own.workspace, `${n}.txt`), '');
    const done = await bash(own, 'ls src');
    expect(done.failure).toMatchObject({
      code: 'command_not_confined',
      message: 'Cannot keep programs to tools.file.allow_read',
      suggestion: 'List folders (src/**) rather than single files or patterns of names',
      why: ['it leaves out over 5000 files and folders'],
    });
    expect((await bash(own, 'ls src')).failure).toMatchObject({ code: 'command_not_confined' });
    expect(await own.runtime.coordinator.mode()).toMatchObject({ mode: 'NORMAL' });
  },
);

test('a link within the workspace is readable, and judged by its target (D14)', async () => {
  const rules = [{ id: 'docs', deny: { path: 'docs/**' } }];
  await using own = await openTestRuntime({ settings: { ...ALLOWED, rules }, files: FILES });
  symlinkSync('src/a.ts', join(own.workspace, 'link.ts'));
  symlinkSync('docs/d.md', join(own.workspace, 'link.md'));
  symlinkSync('/etc/hostname', join(own.workspace, 'out'));
  const read = (path: string) => own.call('openai', 'read_file', { path });
  expect((await read('link.ts')).content).toBe('SHOWN in a\n');
  expect((await read('link.md')).outcome.kind).toBe('denied');
  expect((await read('out')).failure).toMatchObject({ code: 'path_not_allowed' });
});
