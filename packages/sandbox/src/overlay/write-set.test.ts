import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createSeededRandom } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { randomScript } from '../testing/random-script.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { filesChanged, snapshotOf } from '../testing/tree-snapshot.ts';

/** Set `SIGNALBOX_SCRIPTS=1000 SIGNALBOX_SEED=7` to search further. */
const SCRIPTS = Number(process.env['SIGNALBOX_SCRIPTS'] ?? 60);
const SEED = Number(process.env['SIGNALBOX_SEED'] ?? 1);

describe('a transaction', () => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness({ transactions: 'where-possible' });
  });
  afterEach(() => harness.close());

  const at = (path: string): string => join(harness.workspace, path);
  const changesOf = async (line: string): Promise<string[]> => {
    const { changes = [], isolation, ended } = await harness.run(line);
    expect([isolation.layer, isolation.tracking]).toEqual(['overlay', { strength: 'enforced' }]);
    expect(ended.kind).toBe('exited');
    return changes.map(({ kind, path }) => `${kind} ${path}`).toSorted();
  };

  test(
    `leaves the same files as the script run directly, and reports exactly those (${SCRIPTS} scripts)`,
    { timeout: 60_000 + SCRIPTS * 1000 },
    async () => {
      const random = createSeededRandom(SEED);
      const pick = (bound: number): number =>
        (random(4).reduce((sum, byte) => sum * 256 + byte, 0) >>> 0) % bound;
      const plain = createHarness({ transactions: 'off' });
      for (let index = 0; index < SCRIPTS; index++) {
        const script = randomScript(pick);
        const before = snapshotOf(plain.workspace);
        await plain.run(script);
        const after = snapshotOf(plain.workspace);
        const said = await changesOf(`${script}\n:`);
        expect({ script, tree: snapshotOf(harness.workspace) }).toEqual({ script, tree: after });
        expect({ script, said }).toEqual({ script, said: filesChanged(before, after) });
      }
      await plain.close();
    },
  );

  test('can rename existing folders, as root, to a free name and over another folder', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('the overlay of an ordinary user answers EXDEV');
    for (const folder of ['a/same', 'a/deep/x', 'b/same', 'b/deep/y', 'c']) {
      mkdirSync(at(folder), { recursive: true });
      writeFileSync(at(`${folder}/f`), folder);
      writeFileSync(at(`${folder}/g`), folder.slice(1));
    }
    // Node uses rename(2).
    const rename = (from: string, to: string) => `fs.renameSync('${from}','${to}');`;
    const script = `${rename('c', 'd/c')} ${rename('b', 'd/b')} ${rename('a', 'b')} fs.writeFileSync('b/deep/x/f','new');`;
    const line = `mkdir d; node -e "${script}"`;
    expect(await changesOf(line)).toEqual(
      [
        ...['a/same', 'a/deep/x', 'c', 'b/deep/y'].flatMap((f) => [`deleted ${f}/f`, `deleted ${f}/g`]),
        ...['b/deep/x', 'd/c', 'd/b/same', 'd/b/deep/y'].flatMap((f) => [`created ${f}/f`, `created ${f}/g`]),
        'modified b/same/f',
      ].toSorted(),
    );
    expect(readFileSync(at('b/same/f'), 'utf8')).toBe('a/same');
    expect(readFileSync(at('b/deep/x/f'), 'utf8')).toBe('new');
    expect(readFileSync(at('d/b/same/f'), 'utf8')).toBe('b/same');
    expect(existsSync(at('a'))).toBe(false);
    expect(await changesOf('git init -q . && git add b && git mv b e && ls e')).toContain('created e/same/f');
    expect(readFileSync(at('e/deep/x/g'), 'utf8')).toBe('/deep/x');
  });

  test('that only reads, or restores what it changed, changes nothing', async () => {
    writeFileSync(at('a'), 'old');
    const { ino } = statSync(at('a'));
    expect(
      await changesOf('cat a; cp a b; echo new > a; mv b a; mkdir d; rmdir d; ls -R >/dev/null'),
    ).toEqual([]);
    expect(statSync(at('a')).ino).toBe(ino);
  });

  test('keeps file times, which builds depend on', async () => {
    writeFileSync(at('kept'), 'x');
    await changesOf('touch -d 2001-01-01 kept; echo x > new; touch -d 2002-02-02 new');
    expect(statSync(at('kept')).mtime.getFullYear()).toBe(2001);
    expect(statSync(at('new')).mtime.getFullYear()).toBe(2002);
  });

  test('commits no setuid and no setgid bit', async () => {
    await changesOf('cp /bin/true t; chmod 6755 t; mkdir d; chmod 2755 d');
    expect([statSync(at('t')).mode & 0o7777, statSync(at('d')).mode & 0o7777]).toEqual([0o755, 0o755]);
  });

  test('keeps links as links, and never follows one it created', async () => {
    writeFileSync(join(harness.folder, 'outside'), 'untouched');
    mkdirSync(join(harness.folder, 'other'));
    symlinkSync('../other', at('was-link'));
    const line = 'ln -s ../outside l; ln -s ../other d; rm was-link; mkdir was-link; echo x > was-link/f';
    expect(await changesOf(line)).toEqual([
      'created d',
      'created l',
      'created was-link/f',
      'deleted was-link',
    ]);
    expect(readFileSync(join(harness.folder, 'outside'), 'utf8')).toBe('untouched');
    expect(readdirSync(join(harness.folder, 'other'))).toEqual([]);
    expect(readFileSync(at('was-link/f'), 'utf8')).toBe('x\n');
  });

  test.for([
    'mkfifo p',
    `node -e "require('net').createServer().listen('s', () => process.kill(process.pid, 9))"`,
  ])('that leaves a FIFO or a socket is rejected entirely: %s', async (line) => {
    const done = await harness.run(`echo x > f; ${line}; true`);
    expect(done.ended).toMatchObject({ kind: 'refused', exitCode: 0 });
    expect(snapshotOf(harness.workspace)).toEqual({});
  });

  test('can commit files it removed its own permissions from', async () => {
    expect(await changesOf('mkdir d; echo x > d/f; chmod 000 d/f; chmod 000 d')).toEqual(['created d/f']);
    expect(statSync(at('d')).mode & 0o7777).toBe(0);
    chmodSync(at('d'), 0o700);
    expect(statSync(at('d/f')).mode & 0o7777).toBe(0);
  });

  test('that was stopped, timed out or limited leaves nothing', async () => {
    const stop = new AbortController();
    const line = 'echo x > f; echo ready; sleep 60';
    const stopped = await harness.run(line, {}, { signal: stop.signal, onOutput: () => stop.abort() });
    expect(stopped).toMatchObject({ ended: { kind: 'stopped' }, changes: [] });
    expect(existsSync(at('f'))).toBe(false);
  });

  test('cannot write more than its limit, and leaves no file behind when trying', async () => {
    await harness.close();
    harness = createHarness({ transactions: 'where-possible', filesInMemoryBytes: 4 * 1024 ** 2 });
    const done = await harness.run('head -c 8000000 /dev/zero > big; echo $?; rm big');
    expect(done.stdout.text).toBe('1\n');
    expect(done.stderr.text).toContain('No space left on device');
    expect(done).toMatchObject({ ended: { kind: 'exited' }, changes: [] });
  });
});
