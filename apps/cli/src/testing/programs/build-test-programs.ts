// Builds the programs that tests start many times: node build-test-programs.ts FOLDER
//
// In a process of its own: the bundler keeps up to 700 MB of memory, and starting a program costs more the larger the
// process is that starts it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedServerArgs } from '@signalbox/mcp-tools/testing';
import { build } from 'rolldown';
import { program, withRedisScripts } from '../../../rolldown.config.ts';

/** Built together, as they share nearly all of their code. */
const SOURCES = {
  'beating-coordinator': new URL('../../commands/serve/testing/beating-coordinator.ts', import.meta.url),
  'connecting-client': new URL('../../client/testing/connecting-client.ts', import.meta.url),
  'contending-coordinator': new URL(
    '../../commands/serve/testing/contending-coordinator.ts',
    import.meta.url,
  ),
  'contending-worker': new URL('../../commands/serve/testing/contending-worker.ts', import.meta.url),
  'crash-workload': new URL('../crash-workload.ts', import.meta.url),
} as const;

export type TestProgramName = keyof typeof SOURCES | 'notes-server';

const [dir = ''] = process.argv.slice(2);

await build({
  ...program,
  cwd: join(import.meta.dirname, '../../..'),
  input: Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [name, fileURLToPath(source)])),
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
