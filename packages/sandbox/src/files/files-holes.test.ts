import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Files, ToolFailure } from '@signalbox/core';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFiles } from './files.ts';
import { hashOf } from './file-on-disk.ts';

const WRITE_BIG = fileURLToPath(new URL('../testing/write-big.ts', import.meta.url));

describe('the files of a workspace', () => {
  let folder: string;
  let workspace: string;
  let outside: string;
  let files: Files;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    [workspace, outside] = [join(folder, 'workspace'), join(folder, 'outside')];
    mkdirSync(join(workspace, 'src'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'leaked');
    files = createFiles({ workspace });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const NOT_ALLOWED = { code: 'path_not_allowed', category: 'PolicyBlocked' };

  test('no link leads out of the workspace, anywhere in a path', async () => {
    symlinkSync(outside, join(workspace, 'folder'));
    symlinkSync(join(outside, 'secret'), join(workspace, 'file'));
    symlinkSync(join(outside, 'new'), join(workspace, 'dangling'));
    for (const path of ['folder/secret', 'file', 'dangling']) {
      await expect(files.write(path, 'x', { expected: 'absent' })).rejects.toMatchObject(NOT_ALLOWED);
      await expect(files.remove(path, hashOf('leaked'))).rejects.toMatchObject(NOT_ALLOWED);
    }
    await expect(files.readText('folder/secret')).rejects.toMatchObject(NOT_ALLOWED);
    await expect(files.readText('file')).rejects.toMatchObject(NOT_ALLOWED);
    await expect(files.list('folder')).rejects.toMatchObject(NOT_ALLOWED);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test('an error about writing through a link names its target', async () => {
    writeFileSync(join(workspace, 'AGENTS.md'), 'a');
    symlinkSync('AGENTS.md', join(workspace, 'CLAUDE.md'));
    await expect(files.write('CLAUDE.md', 'b', { expected: 'absent' })).rejects.toThrow('"AGENTS.md"');
    expect((await files.readText('CLAUDE.md')).path).toBe('AGENTS.md');
  });

  test('a folder replaced by a link meanwhile does not lead out of the workspace', async () => {
    const [real, link] = [join(workspace, 'swap'), join(workspace, 'link')];
    mkdirSync(real);
    symlinkSync(outside, link);
    const swapped = join(workspace, 'kept');
    const stop = new AbortController();
    /** Our own write may have recreated the folder. */
    const move = (from: string, to: string): void => {
      try {
        renameSync(from, to);
      } catch {
        rmSync(to, { recursive: true, force: true });
        renameSync(from, to);
      }
    };
    const attacker = (async () => {
      while (!stop.signal.aborted) {
        move(real, swapped);
        move(link, real);
        await new Promise(setImmediate);
        move(real, link);
        move(swapped, real);
        await new Promise(setImmediate);
      }
    })();
    for (let round = 0; round < 500; round++) {
      const text = await files.readText('swap/secret').catch(() => null);
      expect(text).toBeNull();
      await files.write(`swap/escaped-${round}`, 'x', { expected: 'absent' }).catch(() => null);
    }
    stop.abort();
    await attacker;
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readdirSync(real).length).toBeGreaterThan(0);
  });

  test('secrets, state and git are denied to tools by default', async () => {
    mkdirSync(join(workspace, '.signalbox'));
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
    for (const path of ['.env', 'src/.env.local', '.signalbox/audit.jsonl', 'secrets/a', 'signalbox.yaml']) {
      await expect(files.write(path, 'x', { expected: 'absent' })).rejects.toMatchObject(NOT_ALLOWED);
    }
    await expect(files.write('.git/hooks/pre-commit', 'x', { expected: 'absent' })).rejects.toMatchObject(
      NOT_ALLOWED,
    );
    await expect(files.remove('.git/hooks', 'directory')).rejects.toMatchObject(NOT_ALLOWED);
    expect(await files.write('.env.example', 'KEY=', { expected: 'absent' })).toMatchObject({
      kind: 'created',
    });
    const { entries } = await files.list('.');
    expect(entries.map(({ path }) => path)).toEqual(['.env.example', '.git', 'src']);
  });

  test('a second name of a denied file is denied too', async () => {
    writeFileSync(join(workspace, '.env'), 'leaked');
    linkSync(join(workspace, '.env'), join(workspace, 'src/innocent.txt'));
    await expect(files.readText('src/innocent.txt')).rejects.toMatchObject(NOT_ALLOWED);
    await expect(files.write('src/innocent.txt', 'x', { expected: hashOf('x') })).rejects.toMatchObject(
      NOT_ALLOWED,
    );
  });

  test('a rewritten file keeps its permissions except setuid and setgid', async () => {
    const path = join(workspace, 'run.sh');
    writeFileSync(path, 'a');
    chmodSync(path, 0o6751);
    await files.write('run.sh', 'b', { expected: hashOf('a') });
    expect(statSync(path).mode & 0o7777).toBe(0o751);
  });

  test('pipes, devices and folders are rejected as files', async () => {
    spawnSync('/usr/bin/mkfifo', [join(workspace, 'pipe')]);
    for (const path of ['pipe', 'src']) {
      await expect(files.readText(path)).rejects.toMatchObject({ code: 'not-a-file' });
      await expect(files.write(path, 'x', { expected: 'absent' })).rejects.toMatchObject({
        code: 'not-a-file',
      });
    }
  });

  test('a file that is not UTF-8 is rejected as text, and deleted only with its own hash', async () => {
    writeFileSync(join(workspace, 'latin'), Buffer.from([0x66, 0xfc, 0x72]));
    await expect(files.readText('latin')).rejects.toMatchObject({ code: 'not-text' });
    const hash = hashOf(Buffer.from([0x66, 0xfc, 0x72]));
    expect(await files.remove('latin', hash)).toMatchObject({ kind: 'deleted', before: null });
  });

  test('a full disk leaves the old file and nothing else', () => {
    writeFileSync(join(workspace, 'big.txt'), 'old');
    // A file size limit fails a write like a full disk, for root and users alike.
    const line = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`;
    const argv = ['-c', line, process.execPath, WRITE_BIG, workspace, String(hashOf('old'))];
    const { stdout } = spawnSync('/bin/bash', argv, { encoding: 'utf8' });
    expect(stdout).toBe('disk-full Cannot write "big.txt": there is no space left to write it\n');
    expect(readFileSync(join(workspace, 'big.txt'), 'utf8')).toBe('old');
    expect(readdirSync(workspace)).toEqual(['big.txt', 'src']);
  });

  test('only one of two concurrent creations of a file succeeds', async () => {
    const others = Array.from({ length: 8 }, () => createFiles({ workspace }));
    const all = await Promise.allSettled(
      others.map((other, index) => other.write('new.txt', `writer ${index}`, { expected: 'absent' })),
    );
    const winners = all.flatMap((answer, index) => (answer.status === 'fulfilled' ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe(`writer ${winners[0]}`);
    const lost = all.find(({ status }) => status === 'rejected');
    expect(lost).toMatchObject({ reason: { code: 'stale-write' } });
    expect(readdirSync(workspace)).toEqual(['new.txt', 'src']);
  });

  test('a kill during a write leaves the old file or the new one', async () => {
    const path = join(workspace, 'big.txt');
    for (const timeout of [60, 80, 100, 120, 140]) {
      writeFileSync(path, 'old');
      spawnSync(process.execPath, [WRITE_BIG, workspace, String(hashOf('old'))], {
        timeout,
        killSignal: 'SIGKILL',
      });
      expect([3, 1_000_000]).toContain(statSync(path).size);
    }
  });

  test('no path text resolves to outside the workspace', () => {
    const normalOrRefused = (path: string): string | null => {
      try {
        return files.normalise(path);
      } catch (cause) {
        if (cause instanceof ToolFailure && cause.code === 'path_not_allowed') return null;
        throw cause;
      }
    };
    const piece = fc.constantFrom('..', '.', '', 'a', 'src', '\0', '/', workspace, 'ü', '...', '..\\', '~');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const path = pieces.join('/');
        const normal = normalOrRefused(path);
        if (normal === null) return;
        expect(files.normalise(normal)).toBe(normal);
        expect(normal.includes('\0') || normal.startsWith('/')).toBe(false);
        expect(normal.split('/')).not.toContain('..');
      }),
    );
    expect(() => files.normalise(`${workspace}-evil/a`)).toThrow('outside');
  });
});
