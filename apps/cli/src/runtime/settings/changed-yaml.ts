import { isDeepStrictEqual } from 'node:util';
import { formatPath, getIn, setIn, type SettingsPath, UsageError } from '@signalbox/core';
import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';

/**
 * The text of a settings file with another value at that path; undefined removes the key. Comments, order and layout of
 * everything else stay.
 *
 * @param name Display name of the file.
 * @throws {UsageError} `settings-file` for invalid YAML, or if a value on the path is not a map
 */
export function changedYaml(
  name: string,
  before: string,
  { path, value }: Readonly<{ path: SettingsPath; value: unknown }>,
): string {
  const present = valueOf(before);
  if (present === null) throw cannotChange(name, path, { why: 'it is not YAML' });
  if (isDeepStrictEqual(getIn(present.value, path), value)) return before;
  const expected = setIn(present.value ?? {}, path, { next: value });
  for (const after of [spliced(before, path, { value }), rewritten(before, path, { value })]) {
    if (after !== null && isDeepStrictEqual(valueOf(after)?.value ?? {}, expected)) return after;
  }
  throw cannotChange(name, path, { why: 'the value there has no keys' });
}

/** Touches only the lines of that key; null if the file's layout does not allow that. */
function spliced(text: string, path: SettingsPath, { value }: Readonly<{ value: unknown }>): string | null {
  const { contents } = parseDocument(text);
  if (contents === null)
    return value === undefined ? null : `${endedLine(text)}${entry(path, value, { indent: '' })}`;
  if (!isMap(contents) || contents.flow === true) return null;
  const { map, rest, pair } = deepest(contents, path);
  if (pair === undefined)
    return value === undefined
      ? null
      : behindLast(text, entry(rest, value, { indent: indentOf(text, map) }), map);
  const above = path.slice(0, path.length - rest.length);
  if (rest.length > 1) {
    const [key = '', ...below] = rest;
    // A section on one line is rewritten as a whole.
    if (isMap(pair.value))
      return spliced(text, [...above, key], { value: setIn(pair.value.toJSON(), below, { next: value }) });
    return isEmpty(pair)
      ? belowKey(text, entry(below, value, { indent: `${indentOf(text, map)}  ` }), pair)
      : null;
  }
  if (value !== undefined) return replaced(text, value, pair);
  // A section without keys is removed.
  return map.items.length === 1 && above.length > 0
    ? spliced(text, above, { value: {} })
    : withoutLines(text, pair);
}

function isEmpty({ value }: Pair): boolean {
  return isScalar(value) && value.value === null;
}

/** Replaces only the value if it begins on the line of its key, otherwise everything after the colon. */
function replaced(text: string, value: unknown, { key, value: old }: Pair): string | null {
  const [, keyEnd] = rangeOf(key) ?? [];
  const [start, end] = rangeOf(old) ?? [];
  if (keyEnd === undefined || start === undefined || end === undefined) return null;
  const colon = text.indexOf(':', keyEnd) + 1;
  if (start > colon && !text.slice(colon, start).includes('\n'))
    return `${text.slice(0, start)}${flow(value)}${text.slice(end)}`;
  const lineEnd = text[end - 1] === '\n' ? '\n' : '';
  return `${text.slice(0, colon)} ${flow(value)}${lineEnd}${text.slice(end)}`;
}

type Found = Readonly<{
  /** The innermost block-style map on the path. */
  map: YAMLMap;
  /** The rest of the path below it. */
  rest: SettingsPath;
  /** The entry of the path's next key, if any. */
  pair: Pair | undefined;
}>;

function deepest(map: YAMLMap, path: SettingsPath): Found {
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === String(path[0]));
  const inner = pair?.value;
  return path.length > 1 && isMap(inner) && inner.flow !== true
    ? deepest(inner, path.slice(1))
    : { map, rest: path, pair };
}

/** After the last entry and its trailing comment. */
function behindLast(text: string, added: string, map: YAMLMap): string | null {
  const last = map.items.at(-1);
  const end = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1];
  return end === undefined ? null : behindLine(text, end, { added });
}

function behindLine(text: string, end: number, { added }: Readonly<{ added: string }>): string {
  const at = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  return at === 0 ? `${endedLine(text)}${added}` : `${text.slice(0, at)}${added}${text.slice(at)}`;
}

function belowKey(text: string, added: string, { key }: Pair): string | null {
  const [, end] = rangeOf(key) ?? [];
  return end === undefined ? null : behindLine(text, end, { added });
}

function withoutLines(text: string, { key, value }: Pair): string | null {
  const [start, keyEnd] = rangeOf(key) ?? [];
  if (start === undefined || keyEnd === undefined) return null;
  const end = rangeOf(value)?.[1] ?? keyEnd;
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  return `${text.slice(0, first)}${next === 0 ? '' : text.slice(next)}`;
}

/** Rewrites the whole file: comments stay, whitespace and quotes may change. */
function rewritten(text: string, path: SettingsPath, { value }: Readonly<{ value: unknown }>): string | null {
  const document = parseDocument(text);
  try {
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

function indentOf(text: string, map: YAMLMap): string {
  const [start = 0] = rangeOf(map.items[0]?.key) ?? [];
  return ' '.repeat(start - text.lastIndexOf('\n', start - 1) - 1);
}

function entry(path: SettingsPath, value: unknown, { indent }: Readonly<{ indent: string }>): string {
  return path.reduce<string>((text, key, depth) => {
    const isLast = depth === path.length - 1;
    return `${text}${indent}${'  '.repeat(depth)}${flow(key)}:${isLast ? ` ${flow(value)}` : ''}\n`;
  }, '');
}

/** On one line. */
export function flow(value: unknown): string {
  const flowCollectionPadding = !Array.isArray(value);
  const options = {
    collectionStyle: 'flow',
    lineWidth: 0,
    blockQuote: false,
    flowCollectionPadding,
  } as const;
  return stringify(value, options).trimEnd();
}

function endedLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function valueOf(text: string): { readonly value: unknown } | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  return { value: document.toJS({ maxAliasCount: 100 }) as unknown };
}

function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  const isNode = typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
  return isNode ? (node.range as [number, number]) : undefined;
}

function cannotChange(name: string, path: SettingsPath, { why }: Readonly<{ why: string }>): UsageError {
  return new UsageError('settings-file', `Cannot change ${formatPath(path)} in ${name}: ${why}`, {
    next: ['signalbox config edit'],
  });
}
