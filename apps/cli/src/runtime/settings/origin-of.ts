import type { SettingsPath } from '@signalbox/core';

/** The source that decides on a path: the last that says something there. Settings that only tighten may differ. */
export function originOf<Source extends Readonly<{ value: unknown }>>(
  sources: readonly Source[],
  path: SettingsPath,
): Source | undefined {
  return sources.findLast(({ value }) => has(value, path));
}

function has(value: unknown, path: SettingsPath): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (Array.isArray(value) && typeof key === 'number') return key < value.length;
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, key))
    return false;
  return has((value as Readonly<Record<string | number, unknown>>)[key], rest);
}
