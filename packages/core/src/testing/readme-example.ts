import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What an example printed, and what its comments `// → …` promise, a line each. */
export type ExampleRun = { readonly printed: readonly string[]; readonly promised: readonly string[] };

/**
 * Runs the first TypeScript block of a README as its reader would: as the only file of a project, in which our packages are
 * installed.
 *
 * @param readme URL of the page: `packages/NAME/README.md`
 */
export async function runReadmeExample(
  readme: URL,
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleRun> {
  const page = await readFile(readme, 'utf8');
  const example = /^```ts\n(?<block>[^]*?)^```$/m.exec(page)?.groups?.['block'] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-readme-'));
  try {
    await installPackages(new URL('../', readme), join(folder, 'node_modules', '@signalbox'));
    await writeFile(join(folder, 'example.ts'), example);
    const { stdout } = await promisify(execFile)(process.execPath, ['example.ts'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, NODE_NO_WARNINGS: '1', ...env },
    });
    return {
      printed: stdout.split('\n').filter((line) => line !== ''),
      promised: [...example.matchAll(/\/\/ → (.*)$/gm)].map(([, line = '']) => line),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function installPackages(packages: URL, scope: string): Promise<void> {
  await mkdir(scope, { recursive: true });
  for (const name of await readdir(packages)) await symlink(new URL(name, packages), join(scope, name));
}
