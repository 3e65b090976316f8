import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { treeOf } from '../../process-tree/process-tree.ts';
import { sendSignal } from '../../process.ts';
import { createAttributeCopier } from './attribute-copier.ts';

const UNHURRIED = { timeout: 30_000 };

function openFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [from, to] = [join(folder, "fr'om $x\n"), join(folder, 'to')];
  for (const path of [from, to]) mkdirSync(path);
  return {
    from,
    to,
    link(name: string, mode: number): void {
      writeFileSync(join(folder, `file-${name}`), 'content', { mode });
      symlinkSync(join(folder, `file-${name}`), join(from, name));
    },
    made: (name: string) => {
      const { size, mode } = statSync(join(to, name));
      return { size, mode: mode & 0o777 };
    },
  };
}

/** Other tests' copiers run in the same process. */
function copiersBut(others: readonly number[]): number[] {
  return treeOf(process.pid).filter(
    (pid) => argumentsOf(pid).includes('signalbox-attributes') && !others.includes(pid),
  );
}

function argumentsOf(pid: number): readonly string[] {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, 'utf8').split('\0') : [];
}

test.runIf(process.platform === 'linux')(
  'one process copies attributes call by call, and is replaced when it was killed',
  async () => {
    const others = copiersBut([]);
    const copiers = (): number[] => copiersBut(others);
    const { copy } = createAttributeCopier();
    const { from, to, link, made } = openFolders();
    for (const [name, mode] of [
      ['0', 0o600],
      ['1', 0o640],
      ['2', 0o755],
      ['3', 0o700],
    ] as const)
      link(name, mode);
    await Promise.all([copy(['0', '1'], { from, to }), copy(['2'], { from, to })]);
    expect([made('0'), made('1'), made('2')]).toEqual([
      { size: 0, mode: 0o600 },
      { size: 0, mode: 0o640 },
      { size: 0, mode: 0o755 },
    ]);
    const [copier = 0, ...more] = copiers();
    expect(more).toEqual([]);
    sendSignal(copier, 'SIGSTOP');
    const copying = copy(['3'], { from, to });
    await new Promise(setImmediate);
    sendSignal(copier, 'SIGKILL');
    await copying;
    expect(made('3')).toEqual({ size: 0, mode: 0o700 });
    sendSignal(copiers()[0] ?? 0, 'SIGKILL');
    await expect.poll(copiers, UNHURRIED).toEqual([]);
    rmSync(join(to, '3'));
    await copy(['3'], { from, to });
    expect(made('3')).toEqual({ size: 0, mode: 0o700 });
  },
);
