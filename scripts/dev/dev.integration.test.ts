import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A compiler, a bundler and a server start; a busy machine has taken minutes for that. */
const timeout = 300_000;
const poll = { timeout, interval: 100 };

test(
  'dev reports types and tests of what changes, serves the page signed in, and leaves no process',
  { timeout },
  async () => {
    using checkout = createCheckout();
    const child = spawn(process.execPath, [join(ROOT, 'scripts/dev/dev.ts')], {
      cwd: checkout.path,
      env: envOf(checkout.temporary),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += stripVTControlCharacters(text)));
    }
    try {
      await said(/\[types\].*0 errors[^]*\[types\].*0 errors/);
      await said(/\[tests\] waiting for changes/);
      await said(/#enter=/);

      checkout.write('packages/one/src/one.ts', `export const one: number = '2';\n`);
      await said(/\[types\].*packages\/one\/src\/one\.ts.*TS2322/);
      await said(/\[tests\].*FAIL.*packages\/one\/src\/one\.test\.ts/);
      checkout.write('packages/one/src/one.ts', `export const one: number = 1;\n`);
      await said(/\[tests\] passed: packages\/one\/src\/one\.test\.ts/);

      const [tests = ''] = processesIn(checkout.temporary, 'watch-tests.ts');
      process.kill(Number(tests), 'SIGKILL');
      await said(/\[tests\].*exited with code SIGKILL[^]*\[tests\] waiting for changes/);

      const [, page = '', code = ''] = /(http:\S+)\/#enter=(\S+)/.exec(output) ?? [];
      const entered = await fetch(`${page}/api/enter`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: page },
        body: JSON.stringify({ code }),
      });
      const [cookie = ''] = entered.headers.getSetCookie();
      const you = await fetch(`${page}/api/you`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
      expect(await you.json()).toMatchObject({ role: 'operator' });

      const source = async (): Promise<string> => (await fetch(`${page}/src/main.tsx`)).text();
      expect(await source()).toContain('before');
      checkout.write('apps/dashboard/src/main.tsx', `document.title = 'after';\n`);
      await expect.poll(source, poll).toContain('after');
    } catch (error) {
      throw new Error(`dev said:\n${output}`, { cause: error });
    } finally {
      child.kill('SIGINT');
      await once(child, 'close');
    }
    expect(child.exitCode).toBe(0);
    // The one that was killed: those of the end are expected.
    expect(output.match(/exited with code \w+/g)).toEqual(['exited with code SIGKILL']);
    await expect.poll(() => processesIn(checkout.temporary), poll).toEqual([]);
    expect(readdirSync(checkout.temporary).filter((name) => name.startsWith('signalbox'))).toEqual([]);

    async function said(expected: RegExp): Promise<void> {
      await expect.poll(() => output, poll).toMatch(expected);
    }
  },
);

test.for(['npm', 'scripts/dev/dev.ts'])(
  'a killed %s leaves no process behind',
  { timeout },
  async (killed) => {
    using checkout = createCheckout();
    // As `npm run dev`: the shell of npm, run.mjs, dev.ts.
    checkout.write(
      'run.mjs',
      `import { become, endWithParent } from ${JSON.stringify(join(ROOT, 'scripts/become.mjs'))};
       const argv = [${JSON.stringify(join(ROOT, 'scripts/dev/dev.ts'))}, '--no-tests'];
       become(process.execPath, argv, { cwd: process.cwd(), env: process.env, isTied: true });
       endWithParent();`,
    );
    const npm = spawn(`"${process.execPath}" run.mjs; true`, {
      shell: true,
      cwd: checkout.path,
      env: envOf(checkout.temporary),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await expect.poll(() => output, poll).toContain('#enter=');
    const [pid = npm.pid] = killed === 'npm' ? [] : processesIn(checkout.temporary, killed).map(Number);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await expect.poll(() => processesIn(checkout.temporary), poll).toEqual([]);
  },
);

function envOf(temporary: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}`,
    TMPDIR: temporary,
    CI: undefined,
    VITEST: undefined,
  };
}

/** A repository with one small package and a page of one line; its program is the one of this checkout. */
function createCheckout() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-checkout-')));
  const temporary = join(path, 'tmp');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  const copied = ['tsconfig.base.json', 'apps/dashboard/tsconfig.json', 'apps/dashboard/vite.config.ts'];
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', '{ "extends": "./tsconfig.base.json", "include": ["packages/*/src"] }');
  write('packages/one/src/one.ts', 'export const one: number = 1;\n');
  write(
    'packages/one/src/one.test.ts',
    `import { expect, test } from 'vitest';\nimport { one } from './one.ts';\ntest('one is 1', () => expect(one).toBe(1));\n`,
  );
  write('apps/dashboard/package.json', '{ "type": "module" }');
  write('apps/dashboard/index.html', '<script type="module" src="/src/main.tsx"></script>');
  write('apps/dashboard/src/main.tsx', `document.title = 'before';\n`);
  for (const name of copied) copyFileSync(join(ROOT, name), join(path, name));
  for (const name of ['apps/cli', 'apps/dashboard/node_modules'])
    symlinkSync(join(ROOT, name), join(path, name));
  mkdirSync(join(path, 'node_modules'));
  for (const name of ['vitest', '@types', '@vitejs']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
  }
  mkdirSync(temporary);
  execFileSync('git', ['init', '--quiet', path]);
  return { path, temporary, write, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** Running processes with that temporary folder, and that file in their command line. */
function processesIn(temporary: string, file = ''): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [environment, commandLine] = ['environ', 'cmdline'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8'),
      );
      return environment?.includes(`TMPDIR=${temporary}`) === true && commandLine?.includes(file) === true;
    } catch {
      return false;
    }
  });
}
