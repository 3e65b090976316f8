import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Static imports of a file: types are erased, and `import()` comes later. */
const IMPORTS = /^(?:import|export)\s+(?!type\b)[^;'"]*?from\s+'(?<path>[^']+)';/gm;

function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(({ groups }) => groups?.['path'] ?? '');
}

/** All files of the program that are loaded with this one. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const next = [file];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (loaded.has(at)) continue;
    loaded.add(at);
    const own = importsOf(at).filter((path) => path.startsWith('.'));
    // Sources in the demo's texts look the same, but don't exist.
    next.push(...own.map((path) => resolve(dirname(at), path)).filter(existsSync));
  }
  return loaded;
}

test('status loads at most 30 files of the program, and none that reads settings or the store', () => {
  const loaded = [...loadedWith(resolve(import.meta.dirname, '../commands/see/status.ts'))].map((file) =>
    file.slice(resolve(import.meta.dirname, '..').length + 1),
  );
  expect(loaded.toSorted().join('\n')).not.toMatch(/settings\/|backend\/|compose|store-reader|client-at\.ts/);
  expect(loaded.length).toBeLessThanOrEqual(30);
});

test.each([
  'operate/exec',
  'operate/run',
  'operate/attach',
  'see/watch',
  'operate/approve',
  'operate/deny',
  'agents/mcp',
])('%s loads nothing of the policy: the coordinator judges', (subcommand) => {
  const loaded = [...loadedWith(resolve(import.meta.dirname, '../commands', `${subcommand}.ts`))];
  expect(loaded.filter((file) => importsOf(file).includes('@signalbox/policy'))).toEqual([]);
});

test('a start on the embedded backend loads nothing of Redis, and no page or MCP endpoint before one is opened', () => {
  const loaded = ['../runtime/compose.ts', '../runtime/open-server.ts']
    .map((file) => resolve(import.meta.dirname, file))
    .concat(resolve(import.meta.dirname, '../../../../packages/server/src/create-server.ts'))
    .flatMap((file) => [...loadedWith(file)]);
  const modules = new Set(loaded.flatMap(importsOf));
  expect(modules).toContain('fastify');
  expect([...modules].filter((name) => LATER.test(name))).toEqual([]);
});

const LATER =
  /^(?:@signalbox\/redis|@modelcontextprotocol\/.*|@fastify\/(?:static|swagger.*)|@opentelemetry\/.*)$/;

test('only the subcommand bench loads the load tester', () => {
  const program = readFileSync(resolve(import.meta.dirname, 'load-subcommand.ts'), 'utf8');
  const subcommands = [...program.matchAll(/import\('(?<path>[^']+)'\)/g)].map(
    ({ groups }) => groups?.['path'],
  );
  const loading = ['../main.ts', ...subcommands].filter((path = '') =>
    [...loadedWith(resolve(import.meta.dirname, path))].some((file) =>
      importsOf(file).includes('@signalbox/bench'),
    ),
  );
  expect(subcommands.length).toBeGreaterThan(30);
  expect(loading).toEqual(['../commands/bench/bench.ts']);
});
