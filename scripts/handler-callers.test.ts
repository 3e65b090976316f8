import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bypassesOf } from './handler-callers.ts';

const TEST = /\.(test|bench)\.tsx?$|\/testing\//;

test('tool handlers are called only through the one entry (D7)', () => {
  const paths = globSync('{packages,apps}/*/src/**/*.{ts,tsx}').filter((path) => !TEST.test(path));
  expect(paths).toContain('packages/coordinator/src/command/running/execute-call.ts');
  expect(bypassesOf(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))).toEqual([]);
});

test.for([
  [`tool.handle(args, context);`, 'takes a tool’s handler'],
  [`const { handle } = tool;`, 'takes a tool’s handler'],
  [`const { handle: run } = tool;`, 'takes a tool’s handler'],
  [`tool['handle'](args, context);`, 'takes a tool’s handler'],
  [`const run = registry.get('bash')?.handle;`, 'takes a tool’s handler'],
  [`import { executeCall } from './execute-call.ts';`, 'imports executeCall'],
  [`import { executeCall as run } from '@signalbox/coordinator';`, 'imports executeCall'],
  [`export { executeCall } from './command/execute-call.ts';`, 'imports executeCall'],
  [`import { createStart } from './command/start-execution.ts';`, 'imports createStart'],
  [`import { createCommandRunner } from './command/command-runner.ts';`, 'imports createCommandRunner'],
  [
    `import { createRunnerDependencies } from './command/create-runner-dependencies.ts';`,
    'imports createRunnerDependencies',
  ],
] as const)('a bypass is found: %s', ([text, why]) => {
  const path = 'packages/server/src/door.ts';
  expect(bypassesOf([{ path, text }])).toEqual([{ path, why }]);
});

test('defining a handler does not bypass the entry', () => {
  const text = `export const echo = defineTool({ name: 'echo', async handle({ text }) { return { output: text }; } });`;
  expect(bypassesOf([{ path: 'packages/tools/src/echo.tool.ts', text }])).toEqual([]);
});
