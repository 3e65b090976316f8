import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cliPage } from './cli-page.ts';

test('docs/cli.md matches the table of subcommands: node apps/cli/src/docs.ts', () => {
  expect(readFileSync(new URL('../../../../../docs/cli.md', import.meta.url), 'utf8')).toBe(cliPage());
});
