import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStage, type Stage } from './fixtures/stage.ts';

describe.each(['off', 'where-possible'] as const)('a profile (transactions %s)', (transactions) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage({ transactions });
  });
  afterEach(() => stage.close());

  test('shows what it names of the home, read-only, and nothing else of it', async () => {
    mkdirSync(join(stage.home, '.cache/pip/http'), { recursive: true });
    mkdirSync(join(stage.home, '.cache/other'));
    writeFileSync(join(stage.home, '.cache/pip/http/x'), 'cached\n');
    const line = 'cat ~/.cache/pip/http/x; ls ~/.cache; echo y > ~/.cache/pip/z';
    const without = await stage.run(line);
    expect(without.stdout.text).toBe('');
    const shown = await stage.run(line, { readableHome: ['~/.cache/pip'] });
    expect(shown.stdout.text).toBe('cached\npip\n');
    expect(shown.stderr.text).toContain('Read-only file system');
  });

  test('shows no secret of the home, by whatever name and with whatever folder around it', async () => {
    mkdirSync(join(stage.home, '.ssh'));
    writeFileSync(join(stage.home, '.ssh/id'), 'leaked');
    writeFileSync(join(stage.home, '.netrc'), 'leaked');
    symlinkSync('.ssh', join(stage.home, 'innocent'));
    const done = await stage.run('cat ~/.ssh/id ~/.netrc ~/innocent/id ~/*/id', {
      readableHome: ['~/.ssh', '~/.netrc', '~/innocent', '~/.', '~/../home', '~/.ssh/id'],
    });
    expect(done.stdout.text).toBe('');
  });

  test('keeps more from being read, of one command and not of others', async () => {
    mkdirSync(join(stage.workspace, 'keys'));
    for (const path of ['keys/a', 'x.pem', 'open.txt'])
      writeFileSync(join(stage.workspace, path), `${path}\n`);
    const isDenied = (path: string): boolean => path.startsWith('keys/') || path.endsWith('.pem');
    const line = 'cat keys/a x.pem open.txt; grep -rl . .';
    const narrow = await stage.run(line, {}, { isDenied });
    expect(narrow.stdout.text).toBe('open.txt\n./open.txt\n');
    const wide = await stage.run(line);
    expect(wide.stdout.text).toContain('keys/a\nx.pem\nopen.txt\n');
  });
});
