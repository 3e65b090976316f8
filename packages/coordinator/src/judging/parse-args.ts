import { type Failure, JsonObject, nearestWord, type RawCall, type Tool, toToolOffer } from '@signalbox/core';
import type * as z from 'zod';

/** Problems reported per call. */
const MAX_REPORTED = 5;
/** Schema keys listed. */
const MAX_KEYS = 30;

/**
 * The arguments as the tool's schema wants them, with other spellings of names resolved; or what is wrong, in words.
 */
export function parseArgs(args: RawCall['args'], tool: Tool): { args: JsonObject } | { failure: Failure } {
  let given: unknown = args;
  if (typeof args === 'string') {
    try {
      given = args.trim() === '' ? {} : JSON.parse(args);
    } catch (error) {
      return {
        failure: badArgs(tool, 'InvalidParameters', {
          why: [`the arguments are not JSON (${String(error)})`],
        }),
      };
    }
  }
  const asGiven = tool.args.safeParse(given);
  if (asGiven.success) return { args: asJson(asGiven.data) };
  const value = isObject(given) && tool.kind === 'builtin' ? withOwnNames(given, tool) : given;
  const parsed = tool.args.safeParse(value);
  if (parsed.success) return { args: asJson(parsed.data) };
  const { issues } = parsed.error;
  const category = issues.every(({ code }) => code === 'invalid_type') ? 'TypeMismatch' : 'InvalidParameters';
  const why = issues.slice(0, MAX_REPORTED).map((issue) => inWords(issue, { tool, value }));
  return { failure: badArgs(tool, category, { why }) };
}

function asJson(data: unknown): JsonObject {
  return JsonObject.parse(JSON.parse(JSON.stringify(data)));
}

function badArgs(
  tool: Tool,
  category: Failure['category'],
  { why }: Readonly<{ why: readonly string[] }>,
): Failure {
  return {
    code: 'invalid-arguments',
    category,
    message: `Cannot call ${tool.name}: ${why.join('; ')}`,
    suggestion: `Call ${tool.name} again; ${takes(tool)}`,
    visibility: 'visible',
  };
}

/**
 * Resolves names as models commonly write them, `old_text` for `oldText`, and the tool's own aliases. A name known to
 * the schema is kept, and so is an alias beside the argument that it stands for.
 */
function withOwnNames(given: Readonly<Record<string, unknown>>, tool: Tool): Record<string, unknown> {
  const keys = keysOf(tool);
  const known = new Set(keys);
  const plain = new Map(keys.map((key) => [plainName(key), key]));
  const named = Object.entries(given).map(([key, value]): [string, unknown] => {
    if (known.has(key)) return [key, value];
    const alias = Object.hasOwn(tool.argAliases, key) ? tool.argAliases[key] : undefined;
    const own = alias?.name ?? plain.get(plainName(key));
    if (own === undefined || Object.hasOwn(given, own)) return [key, value];
    return [own, alias?.read?.(value) ?? value];
  });
  return Object.fromEntries(named);
}

function plainName(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase();
}

function inWords(
  issue: z.core.$ZodIssue,
  { tool, value }: { readonly tool: Tool; readonly value: unknown },
): string {
  const at = issue.path.length === 0 ? 'the arguments' : `"${issue.path.join('.')}"`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MAX_REPORTED)
        .map((key) => noSuchArgument(key, issue.path, tool))
        .join('; ');
    case 'invalid_type':
      return valueAt(value, issue.path) === undefined
        ? `${at} is missing: ${wordOf(issue.expected)}`
        : `${at} must be ${wordOf(issue.expected)}, not ${wordOf(kindOf(valueAt(value, issue.path)))}`;
    case 'invalid_value':
      return `${at} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${at} must ${bound(issue.origin, 'least', { limit: issue.minimum })}`;
    case 'too_big':
      return `${at} must ${bound(issue.origin, 'most', { limit: issue.maximum })}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.path.length === 0 ? issue.message : `${at}: ${issue.message}`;
  }
}

function noSuchArgument(key: string, path: readonly PropertyKey[], tool: Tool): string {
  if (path.length > 0) return `"${path.join('.')}" has no "${key}"`;
  const meant = nearestWord(key, keysOf(tool));
  const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  return `${tool.name} has no argument ${JSON.stringify(key.slice(0, 64))}${hint}`;
}

function takes(tool: Tool): string {
  const keys = keysOf(tool);
  if (keys.length === 0) return 'it takes no arguments';
  const required = new Set(requiredOf(tool));
  const words = keys.slice(0, MAX_KEYS).map((key) => (required.has(key) ? `${key} (required)` : key));
  return `it takes ${words.join(', ')}${keys.length > MAX_KEYS ? ' …' : ''}`;
}

function bound(
  origin: string,
  end: 'least' | 'most',
  { limit }: Readonly<{ limit: number | bigint }>,
): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
  if (end === 'least' && unit !== '' && Number(limit) === 1) return 'not be empty';
  return unit === '' ? `be at ${end} ${limit}` : `have at ${end} ${limit}${unit}`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function wordOf(kind: string): string {
  return WORDS[kind] ?? kind;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** Keys of the arguments, in the schema's order. */
function keysOf(tool: Tool): readonly string[] {
  const { properties } = toToolOffer(tool).inputSchema;
  return isObject(properties) ? Object.keys(properties) : [];
}

function requiredOf(tool: Tool): readonly string[] {
  const { required } = toToolOffer(tool).inputSchema;
  return Array.isArray(required) ? required.map(String) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
