import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killCoordinators } from '@signalbox/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from './testing/find-chromium.ts';
import { openBrowser } from './testing/open-page.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const noBrowser = findChromium() === null;
/** Packages are linked from the store of this checkout. */
const timeout = 600_000;

let folder = '';
let workspace = '';
let clone = '';
const env = {
  ...process.env,
  // As for a new user: their own folder, and no trace of the checkout that runs this test.
  NODE_ENV: undefined,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  npm_config_prefer_offline: 'true',
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-clone-')));
  clone = join(folder, 'signalbox');
  workspace = join(folder, 'your-code');
  mkdirSync(workspace);
  execFileSync('git', ['clone', '--quiet', CHECKOUT, clone]);
  execFileSync('git', ['init', '--quiet', workspace]);
});

afterAll(() => {
  killCoordinators(workspace);
  rmSync(folder, { recursive: true, force: true });
});

const signalbox = (...args: readonly string[]) =>
  spawnSync(join(clone, 'bin/signalbox'), args, { cwd: workspace, env, encoding: 'utf8' });

test.skipIf(noBrowser)(
  'from a fresh clone, with only the lines of the README, the link opens the dashboard (U-B1, U-04)',
  { timeout },
  async () => {
    const init = signalbox('init');
    expect(init.status).toBe(0);
    expect(init.stderr).toContain('installing packages (a minute or so the first time)');
    expect(init.stderr).not.toContain('dashboard (');
    await using server = await serve();
    expect(server.notice()).toContain('building the dashboard');
    const opened = signalbox('dashboard', '--json');
    expect(opened.stderr).not.toContain('building');
    const { url } = JSON.parse(opened.stdout) as { url: string };

    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole('heading', { name: 'Live' }).waitFor({ timeout: 120_000 });
      await page.getByText('your-code').first().waitFor();
    } finally {
      await browser.close();
    }

    // Other subcommands don't wait for a build; dashboard gets a page from the current sources.
    const source = join(clone, 'apps/dashboard/src/main.tsx');
    utimesSync(source, new Date(), new Date(Date.now() + 1000));
    expect(signalbox('status').stderr).not.toContain('building');
    expect(signalbox('dashboard', '--no-open').stderr).toContain('building the dashboard');
  },
);

/** The server of the clone, once it listens. */
async function serve(): Promise<AsyncDisposable & { notice(): string }> {
  const child: ChildProcess = spawn(join(clone, 'bin/signalbox'), ['serve', '--port', '0', '--json'], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let notice = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (notice += text));
  if (child.stdout === null) throw new Error('the server has no output');
  const [first] = (await once(createInterface(child.stdout), 'line')) as [string];
  expect(JSON.parse(first)).toMatchObject({ event: 'server.started' });
  return {
    notice: () => notice,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
