import { isDurationSchema } from '../duration.ts';
import { writtenDuration } from '../written-duration.ts';
import { settingsJsonSchema } from '../settings-json-schema.ts';
import { isRecord, type SettingsPath } from './settings-path.ts';

/** The allowed keys at a path, read from the schema of the settings. */
export function knownKeys(path: SettingsPath): readonly string[] {
  return ownKeys(schemaAt(settingsJsonSchema(), path));
}

/** Converts a value at a path to what a file would say there: a length of time gets its unit. */
export function settingsWriter(): (path: SettingsPath, value: unknown) => unknown {
  const schema = settingsJsonSchema();
  return (path, value) =>
    typeof value === 'number' && isDurationSchema(schemaAt(schema, path)) ? writtenDuration(value) : value;
}

function schemaAt(schema: unknown, path: SettingsPath): unknown {
  return path.reduce<unknown>(below, schema);
}

function ownKeys(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].flatMap(ownKeys);
  return isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
}

function below(schema: unknown, key: string | number): unknown {
  if (!isRecord(schema)) return undefined;
  const { properties, additionalProperties, items, anyOf } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, key)) return properties[key];
  if (typeof key === 'number' && items !== undefined) return items;
  if (isRecord(additionalProperties)) return additionalProperties;
  if (!Array.isArray(anyOf)) return undefined;
  return anyOf.map((branch) => below(branch, key)).find((found) => found !== undefined);
}
