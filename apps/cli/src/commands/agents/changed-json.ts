import { isDeepStrictEqual } from 'node:util';
import { getIn, type Json, type JsonObject, UsageError } from '@signalbox/core';
import { applyEdits, type JSONPath, modify, parse, type ParseError } from 'jsonc-parser';
import { type ChangeStep, stepped } from '../../runtime/workspace/changes.ts';

/**
 * The text of a JSON settings file, with or without comments, with the wanted values: lists are extended, different
 * values replaced, and everything else is preserved.
 *
 * @throws {UsageError} `agent-file` for a file that is not JSON or has a duplicate key
 */
export function changedJson(path: string, before: string, wanted: JsonObject): string {
  if (before.trim() === '') return `${JSON.stringify(wanted, null, 2)}\n`;
  const formattingOptions = layoutOf(before);
  const after = missingOf(objectIn(path, before, wanted), wanted).reduce(
    (text, { at, value, isNewInList }) =>
      applyEdits(
        text,
        modify(text, at, value, {
          formattingOptions,
          isArrayInsertion: isNewInList,
          // After the last one, its trailing comment would move to the new one.
          getInsertionIndex: () => 0,
        }),
      ),
    before,
  );
  const isWhole = missingOf(objectIn(path, after, wanted), wanted).length === 0;
  if (isWhole) return after;
  throw cannotChange(path, 'it has a duplicate key', wanted);
}

/**
 * The text after these steps.
 *
 * @throws {UsageError} `agent-file` for a file that is not JSON or has a duplicate key
 */
export function steppedJson(
  path: string,
  before: string,
  { steps }: Readonly<{ steps: readonly ChangeStep[] }>,
): string {
  const present = jsonIn(before);
  if (present === null) throw cannotTakeOut(path, 'it is not a JSON object');
  const formattingOptions = layoutOf(before);
  const edited = (text: string, at: JSONPath, { value }: Readonly<{ value: Json | undefined }>): string =>
    applyEdits(text, modify(text, at, value, { formattingOptions }));
  const after = steps.reduce((text, { at, value }) => {
    const old: unknown = getIn(present, at);
    if (!Array.isArray(old) || !Array.isArray(value)) return edited(text, [...at], { value });
    // Item by item, to preserve the text between the remaining ones.
    const gone = old.flatMap((item, index) =>
      value.some((other) => isDeepStrictEqual(other, item)) ? [] : [index],
    );
    return gone.toReversed().reduce((now, index) => edited(now, [...at, index], { value: undefined }), text);
  }, before);
  if (isDeepStrictEqual(jsonIn(after), stepped(present, steps))) return after;
  throw cannotTakeOut(path, 'it has a duplicate key');
}

/** The object in a file; null if the text is not one. */
export function jsonIn(text: string): JsonObject | null {
  const errors: ParseError[] = [];
  const value: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(value) ? value : null;
}

type Missing = { readonly at: JSONPath; readonly value: Json; readonly isNewInList: boolean };

function missingOf(
  present: JsonObject,
  wanted: JsonObject,
  { within = [] }: Readonly<{ within?: JSONPath }> = {},
): readonly Missing[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const at = [...within, key];
    const old = Object.hasOwn(present, key) ? present[key] : undefined;
    if (isObject(old) && isObject(value)) return missingOf(old, value, { within: at });
    if (Array.isArray(old) && Array.isArray(value) && !IS_COMMAND_LINE.has(key)) {
      const fresh = value.filter((item) => !old.some((other) => isDeepStrictEqual(other, item)));
      return fresh.toReversed().map((item) => ({ at: [...at, 0], value: item, isNewInList: true }));
    }
    return isDeepStrictEqual(old, value) ? [] : [{ at, value, isNewInList: false }];
  });
}

/** Lists whose items make sense only together. */
const IS_COMMAND_LINE: ReadonlySet<string> = new Set(['args', 'command']);

function objectIn(path: string, text: string, wanted: JsonObject): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw cannotChange(path, 'it is not valid JSON', wanted);
  if (isObject(value)) return value;
  throw cannotChange(path, 'it is not a JSON object', wanted);
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The file's own indentation. */
function layoutOf(text: string) {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function cannotTakeOut(path: string, why: string): UsageError {
  return new UsageError('agent-file', `Cannot remove Signalbox from "${path}": ${why}`, {
    next: ['remove its entries (named `signalbox`) by hand'],
  });
}

function cannotChange(path: string, why: string, wanted: JsonObject): UsageError {
  return new UsageError('agent-file', `Cannot change "${path}": ${why}`, {
    next: ['add this by hand:', ...JSON.stringify(wanted, null, 2).split('\n')],
  });
}
