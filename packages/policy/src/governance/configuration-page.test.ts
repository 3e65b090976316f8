import { readFileSync } from 'node:fs';
import { defaultSettings, parseSettings, settingsJsonSchema } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { createPolicy } from './create-policy.ts';

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const rows = page.split('\n').flatMap((line) => {
  const [, first = '', cell = ''] = line.split('|').map((text) => text.trim());
  const key = /^`([a-z_.<>]+)`(?: ⚿)?$/.exec(first)?.[1];
  return key === undefined ? [] : [{ key, written: /^`(.*)`$/.exec(cell)?.[1] }];
});

describe('docs/configuration.md', () => {
  test('has examples', () => expect(examples).toHaveLength(3));

  test.for(examples)('has a valid example file: %#', (example) => {
    const parsed = parseSettings(parse(example));
    expect(parsed).toMatchObject({ kind: 'ok', notes: notesExpected(example) });
  });

  test('lists every key of the settings, once', () => {
    const keys = rows.map(({ key }) => key);
    expect(keys.toSorted()).toEqual(leavesOf(settingsJsonSchema()).toSorted());
  });

  test.for(rows.filter(({ key }) => !key.includes('<')))(
    'states the real default of $key',
    ({ key, written }) => {
      const value = key
        .split('.')
        .reduceRight<unknown>((inner, part) => ({ [part]: inner }), parse(written ?? ''));
      expect(parseSettings(value)).toEqual({ kind: 'ok', settings: defaultSettings(), notes: [] });
      // The key is really read: another value in its place is another setting, or refused.
      const other = key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), ['another', 1]);
      expect(parseSettings(other)).not.toEqual({ kind: 'ok', settings: defaultSettings(), notes: [] });
    },
  );

  test('shows no key that the policy of the examples ignores', () => {
    for (const example of examples) {
      const parsed = parseSettings(parse(example));
      expect(parsed.kind === 'ok' && createPolicy(parsed.settings, { workspace: '/w' }).version).toMatch(
        /^[0-9a-f]{14}$/,
      );
    }
  });
});

test('every built-in rule is described in plain words', () => {
  for (const { says } of Object.values(BUILT_IN_RULES)) expect(says).toMatch(/^[a-z].{10,}[^.]$/i);
});

/** The second example has a budget, and providers without prices. */
function notesExpected(example: string): unknown {
  return example.includes('budget:')
    ? [{ path: ['providers', 'deepseek'] }, { path: ['providers', 'local'] }]
    : [];
}

type Schema = { readonly [key: string]: unknown };

/** `providers`, `mcp_servers` and the tools under `tools` accept any id: `providers.<id>.model`. */
function leavesOf(schema: Schema, path = ''): readonly string[] {
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const { properties, additionalProperties } = schema as {
    properties?: Schema;
    additionalProperties?: Schema | boolean;
  };
  const isOpen = path === 'tools' || path === 'providers' || path === 'mcp_servers';
  const any = isOpen && typeof additionalProperties === 'object' ? additionalProperties : undefined;
  if (properties === undefined && any === undefined) return [path];
  if (/^(?:providers|mcp_servers)\.<id>\./.test(path) || path === 'tools.<tool>.sandbox') return [path];
  const named = Object.entries(properties ?? {}).flatMap(([key, part]) => leavesOf(part as Schema, at(key)));
  return any === undefined ? named : [...named, ...leavesOf(any, at(path === 'tools' ? '<tool>' : '<id>'))];
}
