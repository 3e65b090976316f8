// Builds the programs that tests start many times: node build-test-programs.ts FOLDER
//
// In a process of its own: the bundler keeps up to 700 MB of memory, and starting a program costs more the larger the
// process is that starts it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedServerArgs } from '@signalbox/mcp-tools/testing';
import { build } from 'rolldown';
import { program, withRedisScripts } from '../../rolldown.config.ts';

/** Built together, as they share nearly all of their code. */
const SOURCES = {
  'beating-coordinator': '../commands/serve/testing/beating-coordinator.ts',
  'connecting-client': '../client/testing/connecting-client.ts',
  'contending-coordinator': '../commands/serve/testing/contending-coordinator.ts',
  'contending-worker': '../commands/serve/testing/contending-worker.ts',
  'crash-workload': './crash-workload.ts',
} as const;

export type TestProgramName = keyof typeof SOURCES | 'notes-server';

const [dir = ''] = process.argv.slice(2);
const pathOf = (source: string): string => fileURLToPath(new URL(source, import.meta.url));

await build({
  ...program,
  cwd: join(import.meta.dirname, '../..'),
  input: Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [name, pathOf(source)])),
  plugins: [withRedisScripts],
  output: { dir, format: 'esm' },
});
// In one file: commands in the sandbox can't read this checkout, and get a copy.
await build({
  input: scriptedServerArgs()[0] ?? '',
  platform: 'node',
  output: { file: join(dir, 'notes-server.js'), format: 'esm', codeSplitting: false },
});
// Written last: the tests wait for it.
writeFileSync(join(dir, 'package.json'), '{"type":"module"}\n');
