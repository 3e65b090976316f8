/** Path of a value in a settings file: `['providers', 'openai', 'model']`. */
export type SettingsPath = readonly (string | number)[];

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value at a path; undefined when there is none. */
export function getIn(value: unknown, path: SettingsPath): unknown {
  let here = value;
  for (const key of path) {
    if (!isRecord(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** A copy with another value at a path; undefined removes the key. */
export function setIn(value: unknown, path: SettingsPath, { next }: Readonly<{ next: unknown }>): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const copy: Record<string | number, unknown> = isRecord(value) ? { ...value } : {};
  const changed = setIn(copy[key], rest, { next });
  if (changed === undefined) delete copy[key];
  else copy[key] = changed;
  return copy;
}

/** As a person writes it: `providers.openai.model`, `approval.modes[1]`. */
export function formatPath(path: SettingsPath): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
}
