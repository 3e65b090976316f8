import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';

describe.each(['off', 'where-possible'] as const)('a profile (transactions %s)', (transactions) => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness({ transactions });
  });
  afterEach(() => harness.close());

  test('shows the listed paths of the home, read-only, and nothing else of it', async () => {
    mkdirSync(join(harness.home, '.cache/pip/http'), { recursive: true });
    mkdirSync(join(harness.home, '.cache/other'));
    writeFileSync(join(harness.home, '.cache/pip/http/x'), 'cached\n');
    const line = 'cat ~/.cache/pip/http/x; ls ~/.cache; echo y > ~/.cache/pip/z';
    const without = await harness.run(line);
    expect(without.stdout.text).toBe('');
    const shown = await harness.run(line, { readableHome: ['~/.cache/pip'] });
    expect(shown.stdout.text).toBe('cached\npip\n');
    expect(shown.stderr.text).toContain('Read-only file system');
  });

  test('shows no secret of the home, whatever its name or folder', async () => {
    mkdirSync(join(harness.home, '.ssh'));
    writeFileSync(join(harness.home, '.ssh/id'), 'leaked');
    writeFileSync(join(harness.home, '.netrc'), 'leaked');
    symlinkSync('.ssh', join(harness.home, 'innocent'));
    const done = await harness.run('cat ~/.ssh/id ~/.netrc ~/innocent/id ~/*/id', {
      readableHome: ['~/.ssh', '~/.netrc', '~/innocent', '~/.', '~/../home', '~/.ssh/id'],
    });
    expect(done.stdout.text).toBe('');
  });

  test('hides more paths from one command and not from others', async () => {
    mkdirSync(join(harness.workspace, 'keys'));
    for (const path of ['keys/a', 'x.pem', 'open.txt'])
      writeFileSync(join(harness.workspace, path), `${path}\n`);
    const isDenied = (path: string): boolean => path.startsWith('keys/') || path.endsWith('.pem');
    const line = 'cat keys/a x.pem open.txt; grep -rl . .';
    const narrow = await harness.run(line, {}, { isDenied });
    expect(narrow.stdout.text).toBe('open.txt\n./open.txt\n');
    const wide = await harness.run(line);
    expect(wide.stdout.text).toContain('keys/a\nx.pem\nopen.txt\n');
  });
});
