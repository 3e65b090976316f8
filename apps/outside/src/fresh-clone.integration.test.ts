import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openUser } from './testing/open-user.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** Clones this checkout with its uncommitted changes. */
function cloneCheckout(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-outside-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, 'signalbox');
  execFileSync('git', ['clone', '--quiet', CHECKOUT, clone]);
  const changes = execFileSync('git', ['diff', '--binary', 'HEAD'], { cwd: CHECKOUT, maxBuffer: 2 ** 28 });
  if (changes.length > 0) execFileSync('git', ['apply'], { cwd: clone, input: changes });
  return clone;
}

test('from a fresh clone, with only the lines of the README, the link opens the dashboard (U-B1, U-04)', async () => {
  const clone = cloneCheckout();
  const user = openUser(join(clone, 'bin'));
  onTestFinished(user.leave);
  const { signalbox } = user.workspace('your-code');
  const init = await signalbox('init');
  expect(init.exitCode).toBe(0);
  expect(init.stderr).toContain('installing packages (a minute or so the first time)');
  expect(init.stderr).not.toContain('building the dashboard');

  // A page older than its sources is built again.
  const built = join(clone, 'apps/dashboard/dist/index.html');
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, 'an old page');
  utimesSync(built, 0, 0);
  const serve = signalbox('serve', '--port', '0', '--json');
  const [notice] = (await once(serve.stderr, 'data')) as [Buffer];
  expect(String(notice)).toContain('building the dashboard');
  await once(serve.stdout, 'data');
  const dashboard = await signalbox('dashboard', '--json');
  expect(dashboard.stderr).not.toContain('building the dashboard');
  const { url } = JSON.parse(dashboard.stdout) as { url: string };
  const page = await (await fetch(url)).text();
  const assets = [...page.matchAll(/ (?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200]);

  serve.kill('SIGINT');
  await serve;
  expect(await signalbox('stop')).toMatchObject({ exitCode: 0 });
}, 600_000);
