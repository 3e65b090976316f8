import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtSettingsKeys } from '@signalbox/core/testing';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../../..', import.meta.url).pathname;
/** Files that declare, merge or show settings of any name: being named there is not a use of a key. */
const DECLARES =
  /core\/src\/settings\/(?:[\w-]+-settings|settings|sandbox-(?:profile|bounds)|tool-policy|tightening|strictest|renamed-keys|clamp-settings|provider-(?:input|presets)|mcp-server|user-rule|rule-matcher)\.ts$|settings\/next-start\.ts$|config\/list-settings\.ts$/;

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /node_modules|testing|bench|dist/.test(entry.name) ? [] : sources(path);
    const isProduct = path.endsWith('.ts') && !/\.(?:test|bench)\.ts$/.test(path) && !DECLARES.test(path);
    return isProduct ? [readFileSync(join(ROOT, path), 'utf8')] : [];
  });
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

test('every settings key is read somewhere', () => {
  const texts = [...sources('packages'), ...sources('apps')];
  const keys = builtSettingsKeys();
  expect(keys.length).toBeGreaterThan(100);
  const unread = keys.filter((key) => {
    const path = key.split('.');
    const isOfOne = ['tools', 'mcp_servers'].includes(path[0] ?? '') && path[1] === '*';
    const isUnique = keys.filter((other) => other.endsWith(`.${path.at(-1)}`)).length === 1;
    return !uses(texts, isOfOne ? path.slice(2) : path, { isUnique });
  });
  expect(unread).toEqual([]);
});
