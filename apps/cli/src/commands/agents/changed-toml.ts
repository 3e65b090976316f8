import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, UsageError } from '@signalbox/core';
import { parse } from 'smol-toml';
import { type ChangeStep, stepped } from '../../runtime/workspace/changes.ts';

/** Values of a table; the name of the top-level table is empty. */
export type TomlTable = { readonly name: string; readonly values: Readonly<Record<string, Json>> };

/**
 * The text of a TOML settings file with the wanted values: different values are replaced, and everything else is
 * preserved.
 *
 * @throws {UsageError} `agent-file` for a file that is not TOML, or writes a table in an unsupported form
 */
export function changedToml(
  path: string,
  before: string,
  { wanted }: Readonly<{ wanted: readonly TomlTable[] }>,
): string {
  const present = tableOf(before);
  if (present === null) throw cannotChange(path, 'it is not valid TOML', { wanted });
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  for (const { name, values } of wanted) {
    const table = partOf(present, name);
    const fresh = Object.entries(values).filter(([key, value]) => !isDeepStrictEqual(table?.[key], value));
    if (fresh.length > 0) put(lines, name, { fresh });
  }
  const expected = merged(present, wanted);
  if (isDeepStrictEqual(present, expected)) return before;
  const after = `${lines.join('\n')}\n`;
  if (isDeepStrictEqual(tableOf(after), expected)) return after;
  throw cannotChange(path, 'it writes this setting in an unsupported way', { wanted });
}

/**
 * The text after these steps.
 *
 * @throws {UsageError} `agent-file` for a file that is not TOML, or writes a removed value in an unsupported form
 */
export function steppedToml(
  path: string,
  before: string,
  { steps }: Readonly<{ steps: readonly ChangeStep[] }>,
): string {
  const lines = before.replace(/\n$/, '').split('\n');
  for (const { at, value } of steps) {
    const key = at.at(-1) ?? '';
    if (value !== undefined) put(lines, at.slice(0, -1).join('.'), { fresh: [[key, value]] });
    else if (!takeOutTables(lines, at.join('.'))) takeOutKey(lines, { name: at.slice(0, -1).join('.'), key });
  }
  const after = lines.every((line) => line === '') ? '' : `${lines.join('\n').trimEnd()}\n`;
  const present = tomlIn(before);
  if (present !== null && isDeepStrictEqual(filled(tomlIn(after)), filled(stepped(present, steps))))
    return after;
  throw new UsageError(
    'agent-file',
    `Cannot remove Signalbox from "${path}": it is written in an unsupported way`,
    {
      next: ['remove these by hand:', ...steps.map(({ at }) => at.join('.'))],
    },
  );
}

/** The tables of a file, as plain data; null if the text is not TOML. */
export function tomlIn(text: string): JsonObject | null {
  return tableOf(text) as JsonObject | null;
}

/** The wanted values as a file of their own. */
export function wholeOf(wanted: readonly TomlTable[]): JsonObject {
  return merged({}, wanted) as JsonObject;
}

/** A table without keys is dropped. */
function filled(value: unknown): unknown {
  if (!isTable(value) || Array.isArray(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, filled(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => !isTable(part) || Object.keys(part).length > 0));
}

/** Removes the table of that name, and those below it; returns whether there was one. */
function takeOutTables(lines: string[], name: string): boolean {
  const isWithin = (line: string): boolean => {
    const header = headerOf(line);
    return header === name || header?.startsWith(`${name}.`) === true;
  };
  let found = false;
  for (let at = lines.findIndex(isWithin); at >= 0; at = lines.findIndex(isWithin)) {
    found = true;
    lines.splice(at, endOf(lines, at + 1) - at);
  }
  return found;
}

function takeOutKey(lines: string[], { name, key }: Readonly<{ name: string; key: string }>): void {
  const header = lines.findIndex((line) => headerOf(line) === name);
  if (name !== '' && header < 0) return;
  const first = name === '' ? 0 : header + 1;
  const at = lines.findIndex((line, i) => i >= first && i < endOf(lines, first) && keyOf(line) === key);
  if (at < 0) return;
  lines.splice(at, 1);
  if (at === 0 && lines[0] === '') lines.shift();
}

type Table = Readonly<Record<string, unknown>>;

function put(
  lines: string[],
  name: string,
  { fresh }: Readonly<{ fresh: readonly (readonly [string, Json])[] }>,
): void {
  if (name !== '' && !lines.some((line) => headerOf(line) === name))
    lines.push(...(lines.length > 0 ? [''] : []), `[${name}]`);
  const first = name === '' ? 0 : lines.findIndex((line) => headerOf(line) === name) + 1;
  const added: string[] = [];
  for (const [key, value] of fresh) {
    const written = `${key} = ${JSON.stringify(value)}`;
    const old = lines.findIndex((line, at) => at >= first && at < endOf(lines, first) && keyOf(line) === key);
    if (old < 0) added.push(written);
    else lines[old] = `${written}${commentOf(lines[old] ?? '')}`;
  }
  // Directly after the table's name a value can't become part of another one, and no comment is separated from what
  // follows it.
  const isBeforeTable = name === '' && added.length > 0 && lines.length > 0 && keyOf(lines[0] ?? '') === null;
  lines.splice(first, 0, ...added, ...(isBeforeTable ? [''] : []));
}

function endOf(lines: readonly string[], first: number): number {
  const next = lines.findIndex((line, at) => at >= first && /^\s*\[/.test(line));
  return next < 0 ? lines.length : next;
}

function headerOf(line: string): string | null {
  return /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line)?.[1]?.trim() ?? null;
}

function keyOf(line: string): string | null {
  return /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1] ?? null;
}

/** The comment after a value, with the blanks before it: the first `#` after the last quote or bracket. */
function commentOf(line: string): string {
  const end = Math.max(...['"', "'", ']'].map((mark) => line.lastIndexOf(mark)));
  return /(?<!\s)\s+#[^]*/.exec(line.slice(end + 1))?.[0] ?? '';
}

/** Plain objects at all levels, so that two can be compared; null if the text is not TOML. */
function tableOf(text: string): Table | null {
  try {
    return structuredClone(parse(text));
  } catch {
    return null;
  }
}

function keysOf(name: string): readonly string[] {
  return name === '' ? [] : name.split('.');
}

function partOf(document: Table, name: string): Table | undefined {
  return keysOf(name).reduce<unknown>((part, key) => (part as Table | undefined)?.[key], document) as
    | Table
    | undefined;
}

function merged(document: Table, wanted: readonly TomlTable[]): Table {
  const whole: Record<string, unknown> = structuredClone(document);
  for (const { name, values } of wanted) {
    let part = whole;
    for (const key of keysOf(name)) part = part[key] = isTable(part[key]) ? part[key] : {};
    Object.assign(part, values);
  }
  return whole;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function cannotChange(
  path: string,
  why: string,
  { wanted }: Readonly<{ wanted: readonly TomlTable[] }>,
): UsageError {
  const lines: string[] = [];
  for (const { name, values } of wanted) put(lines, name, { fresh: Object.entries(values) });
  return new UsageError('agent-file', `Cannot change "${path}": ${why}`, {
    next: ['add these lines by hand:', ...lines],
  });
}
