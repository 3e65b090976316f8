import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNotBuiltYet, settingsJsonSchema } from '@signalbox/core';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../../..', import.meta.url).pathname;
/** Files that declare, merge or show settings of any name: being named there is not a use of a key. */
const DECLARES =
  /core\/src\/settings\/(?:[\w-]+-settings|settings|sandbox-(?:profile|bounds)|tool-policy|tightening|strictest|renamed-keys|clamp-settings|not-built-yet|provider-(?:input|presets)|mcp-server|user-rule|rule-matcher)\.ts$|settings\/next-start\.ts$|config\/list-settings\.ts$/;

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /node_modules|testing|bench|dist/.test(entry.name) ? [] : sources(path);
    const isProduct = path.endsWith('.ts') && !/\.(?:test|bench)\.ts$/.test(path) && !DECLARES.test(path);
    return isProduct ? [readFileSync(join(ROOT, path), 'utf8')] : [];
  });
}

type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every key with its path; a key under an arbitrary name (`tools.<tool>`) is `*`. */
function leaves(schema: Schema, path: readonly string[] = []): readonly (readonly string[])[] {
  const { properties, additionalProperties, anyOf } = schema;
  const parts = Array.isArray(anyOf) ? anyOf.filter((one) => isSchema(one)) : [];
  const below = [
    ...Object.entries(isSchema(properties) ? properties : {}),
    ...(isSchema(additionalProperties) && path.length === 1 ? [['*', additionalProperties] as const] : []),
  ].flatMap(([key, part]) => (isSchema(part) ? leaves(part, [...path, key]) : []));
  const all = [...below, ...parts.flatMap((part) => leaves(part, path))];
  const isOpaque = path[0] === 'rules' || path.includes('rules') || path[0] === 'mcp_servers';
  return all.length === 0 || isOpaque ? [path] : all.filter((one) => one.length > path.length);
}

/** Names that occur in several sections count only next to the name of their own. */
function uses(
  texts: readonly string[],
  path: readonly string[],
  { isUnique }: Readonly<{ isUnique: boolean }>,
): boolean {
  const named = path.filter((key) => key !== '*');
  const leaf = named.at(-1) ?? '';
  const above = named.at(-2);
  const word = (key: string): RegExp => new RegExp(`\\b${key}\\b`);
  return texts.some(
    (text) => word(leaf).test(text) && (isUnique || above === undefined || word(above).test(text)),
  );
}

test('every settings key is read somewhere, or is known as not implemented and rejected', () => {
  const texts = [...sources('packages'), ...sources('apps')];
  const keys = [...new Set(leaves(settingsJsonSchema()).map((path) => path.join('.')))];
  expect(keys.length).toBeGreaterThan(100);
  const unread = keys.filter((key) => {
    const path = key.split('.');
    const isTool = path[0] === 'tools' && path[1] === '*';
    const isUnique = keys.filter((other) => other.endsWith(`.${path.at(-1)}`)).length === 1;
    return !isNotBuiltYet(path) && !uses(texts, isTool ? path.slice(2) : path, { isUnique });
  });
  expect(unread).toEqual([]);
});
