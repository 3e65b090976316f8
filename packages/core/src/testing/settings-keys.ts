import { settingsJsonSchema } from '../settings/settings-json-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Every key of the settings; a key under an arbitrary name (`tools.<tool>`) is `*`. */
export function builtSettingsKeys(): readonly string[] {
  const paths = leaves(settingsJsonSchema());
  return [...new Set(paths.map((path) => path.join('.')))];
}

function leaves(schema: Schema, path: readonly string[] = []): readonly (readonly string[])[] {
  const { properties, additionalProperties, anyOf } = schema;
  const parts = Array.isArray(anyOf) ? anyOf.filter((one) => isSchema(one)) : [];
  const below = [
    ...Object.entries(isSchema(properties) ? properties : {}),
    ...(isSchema(additionalProperties) && path.length === 1 ? [['*', additionalProperties] as const] : []),
  ].flatMap(([key, part]) => (isSchema(part) ? leaves(part, [...path, key]) : []));
  // A choice of plain values (`null`, a number or a text) is no key of its own.
  const deeper = [...below, ...parts.flatMap((part) => leaves(part, path))].filter(
    (one) => one.length > path.length,
  );
  return deeper.length === 0 || path.includes('rules') ? [path] : deeper;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
