import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A repository with one file, deleted on disposal. */
export function createScratchWorkspace(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-dev-')));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', path]);
  writeFileSync(join(path, 'README.md'), '# Scratch workspace of `npm run dev`\n');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
