import { readFileSync } from 'node:fs';
import { parseSettings } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkRules } from '../rules/check-examples.ts';
import { lintRules } from '../rules/lint-rules.ts';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { withRulesTable } from './rules-page.ts';
import { WHAT_CHANGES } from './what-changes.ts';

const page = readFileSync(new URL('../../../../docs/policy.md', import.meta.url), 'utf8');
const recipes = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const TOOLS = ['bash', 'read_file', 'write_file', 'edit_file', 'delete_file'];

describe('docs/policy.md', () => {
  test('has recipes', () => expect(recipes.length).toBeGreaterThan(6));

  test.for(recipes)('has a valid recipe file, whose examples pass: %#', (recipe) => {
    const parsed = parseSettings(parse(recipe));
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
    expect(checkRules(parsed.settings.rules)).toEqual([]);
    const now = Date.parse('2026-11-21');
    expect(lintRules(parsed.settings, { tools: TOOLS, now })).toEqual([]);
  });

  test('has the current table of the built-in rules: node apps/cli/src/docs.ts', () => {
    expect(withRulesTable(page)).toBe(page);
    for (const rule of Object.keys(BUILT_IN_RULES)) expect(page).toContain(`| \`${rule}\``);
  });
});

test('every built-in rule says what would change it', () => {
  expect(Object.keys(WHAT_CHANGES)).toEqual(Object.keys(BUILT_IN_RULES));
});

test('a page without marks is unchanged', () => {
  expect(withRulesTable('# A page')).toBe('# A page');
});
