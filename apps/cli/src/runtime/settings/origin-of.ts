import type { SettingsPath } from '@signalbox/core';

/** The source that sets a path: the last that has a value there. Settings that can only be tightened may differ. */
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
