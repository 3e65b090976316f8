import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, vi } from 'vitest';

const APP = join(import.meta.dirname, '../..');

/** Built together, as they share nearly all of their code. */
const SOURCES = {
  'beating-coordinator': new URL('../commands/serve/testing/beating-coordinator.ts', import.meta.url)
    .pathname,
  'connecting-client': new URL('../client/testing/connecting-client.ts', import.meta.url).pathname,
  'contending-coordinator': new URL('../commands/serve/testing/contending-coordinator.ts', import.meta.url)
    .pathname,
  'contending-worker': new URL('../commands/serve/testing/contending-worker.ts', import.meta.url).pathname,
  'crash-workload': new URL('./crash-workload.ts', import.meta.url).pathname,
} as const;

export type TestProgramName = keyof typeof SOURCES;

/**
 * The file of a program that tests start many times: bundled it starts in a third of the time. The first call of a run
 * builds them all, and the other test processes wait for it.
 */
export async function testProgram(name: TestProgramName): Promise<string> {
  const folder = inject('testPrograms');
  const done = join(folder, 'package.json');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) await buildAll(folder);
  await vi.waitFor(() => {
    if (!existsSync(done)) throw new Error('the test programs are not built');
  }, 120_000);
  return join(folder, `${name}.js`);
}

async function buildAll(dir: string): Promise<void> {
  // Only the process that builds loads the bundler.
  const [{ build }, { program, withRedisScripts }] = await Promise.all([
    import('rolldown'),
    import('../../rolldown.config.ts'),
  ]);
  await build({
    ...program,
    cwd: APP,
    input: SOURCES,
    plugins: [withRedisScripts],
    output: { dir, format: 'esm' },
  });
  // Written last: the others wait for it.
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}\n');
}
