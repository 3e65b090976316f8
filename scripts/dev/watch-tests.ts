// Runs the tests of each file that changes; a further change ends the run. One child of `npm run dev`.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { testsOf } from './tests-of.ts';

const FOLDERS = ['apps', 'packages', 'scripts'];
const IGNORED = /(?:^|\/)(?:node_modules|dist|\.\w+)(?:\/|$)/;
/** Editors write a file in several steps. */
const SETTLED_AFTER_MS = 100;
const KILLED_AFTER_MS = 5000;

const root = process.cwd();
const changed = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let running: ChildProcess | null = null;
let isStopping = false;

for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name !== null && !IGNORED.test(name)) noteChange(`${folder}/${name}`);
  });
}
process.stdout.write('waiting for changes\n');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (running === null) process.exit(0);
    isStopping = true;
    endRun(running);
  });
}

function noteChange(path: string): void {
  changed.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (running === null) runTests();
    else endRun(running);
  }, SETTLED_AFTER_MS);
}

function endRun(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS).unref();
}

function runTests(): void {
  const paths = [...changed];
  const { run, left } = testsOf(root, paths);
  if (run.length === 0) {
    changed.clear();
    return;
  }
  const argv = ['run', ...run, '--reporter=dot', '--passWithNoTests'];
  const child = spawn('vitest', argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.once('close', (code) => {
    running = null;
    if (isStopping) process.exit(0);
    if (child.killed) {
      runTests();
      return;
    }
    for (const path of paths) changed.delete(path);
    const more = left === 0 ? '' : ` (and not ${left} more that import it: npm test -- PATH)`;
    process.stdout.write(code === 0 ? `passed: ${run.join(' ')}${more}\n` : `${output.trim()}\n`);
  });
}
