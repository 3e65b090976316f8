import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFactsOf } from './source-facts.ts';

/** The libraries in whose words Signalbox was ordered, and the package that runs on each. */
const ORDERED = [
  ['xstate', 'packages/coordinator'],
  ['bullmq', 'packages/redis'],
  ['ioredis', 'packages/redis'],
  ['openai', 'packages/providers'],
  ['@anthropic-ai/sdk', 'packages/providers'],
  ['execa', 'packages/sandbox'],
  ['zod', 'packages/core'],
  ['pino', 'apps/cli'],
] as const;

test.each(ORDERED)('%s is run by %s, not only named (U-05, U-07, U-11…U-16)', (library, folder) => {
  const users = sourcesOf(folder).filter(
    ({ path, text }) =>
      text.includes(`'${library}`) &&
      sourceFactsOf({ path, text }).imports.some(
        ({ specifier, typeOnly }) => !typeOnly && `${specifier}/`.startsWith(`${library}/`),
      ),
  );
  expect(users.length).toBeGreaterThan(0);
});

/** What ships: no tests, no measurements and none of their parts. */
function sourcesOf(folder: string): { path: string; text: string }[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|bench)\.ts$|(?:^|\/)testing\//.test(name))
    .map((name) => join(folder, 'src', name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}
