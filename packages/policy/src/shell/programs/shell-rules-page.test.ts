import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellRulesPage } from './shell-rules-page.ts';
import { FAMILIES } from './table.ts';

const page = readFileSync(new URL('../../../../../docs/shell-rules.md', import.meta.url), 'utf8');

test('docs/shell-rules.md has the current rules: node apps/cli/src/docs.ts', () => {
  expect(page).toBe(shellRulesPage());
});

test('docs/shell-rules.md names every program and every subcommand', () => {
  const missing = Object.values(FAMILIES)
    .flat()
    .flatMap(({ names, verbs = {} }) => [
      ...names,
      ...Object.keys(verbs).flatMap((all) => all.split(' ').map((verb) => `${names[0] ?? ''} ${verb}`)),
    ])
    .filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
