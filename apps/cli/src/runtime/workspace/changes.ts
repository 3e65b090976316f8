import { isDeepStrictEqual } from 'node:util';
import { getIn, type Json, type JsonObject, setIn } from '@signalbox/core';
import * as z from 'zod';

const Value: z.ZodType<Json> = z.json();

/** What `connect` changed at one place of an agent's settings. */
export const WorkspaceChange = z
  .strictObject({
    at: z.array(z.string()).min(1),
    /** The previous value; absent if there was none. */
    before: Value.optional(),
    /** The current value; of an existing list only the added items. */
    after: Value,
    isAddition: z.boolean(),
  })
  .readonly();
export type WorkspaceChange = z.infer<typeof WorkspaceChange>;

/** One step of an undo: the value to write; absent: remove it. */
export type ChangeStep = Readonly<{ at: readonly string[]; value?: Json }>;

/** The changes from one value to the other. */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  { within = [] }: Readonly<{ within?: readonly string[] }> = {},
): readonly WorkspaceChange[] {
  return Object.entries(after).flatMap(([key, value]): readonly WorkspaceChange[] => {
    const at = [...within, key];
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (isDeepStrictEqual(old, value)) return [];
    if (old === undefined) return [{ at, after: value, isAddition: false }];
    if (isObject(old) && isObject(value)) return changesBetween(old, value, { within: at });
    const isLonger = Array.isArray(old) && Array.isArray(value) && old.every((item) => isAmong(item, value));
    return isLonger
      ? [{ at, after: value.filter((item) => !isAmong(item, old)), isAddition: true }]
      : [{ at, before: old, after: value, isAddition: false }];
  });
}

/** Steps that undo these changes; later edits of the user stay. */
export function stepsBack(present: JsonObject, changes: readonly WorkspaceChange[]): readonly ChangeStep[] {
  return changes.flatMap(({ at, before, after, isAddition }): readonly ChangeStep[] => {
    const now = getIn(present, at) as Json | undefined;
    if (now === undefined) return [];
    const isOurs = isDeepStrictEqual(now, after) || (before === undefined && at.at(-1) === OUR_NAME);
    if (isOurs && !isAddition) return [{ at, ...(before === undefined ? {} : { value: before }) }];
    if (Array.isArray(now) && Array.isArray(after)) {
      const left = now.filter((item) => !isAmong(item, after));
      return left.length === now.length ? [] : [{ at, value: left }];
    }
    if (!isObject(now) || !isObject(after)) return [];
    const inner = Object.entries(after).map(([key, value]) => ({
      at: [...at, key],
      after: value,
      isAddition: false,
    }));
    return stepsBack(present, inner);
  });
}

/** The value after these steps. */
export function stepped(value: JsonObject, steps: readonly ChangeStep[]): JsonObject {
  return steps.reduce<unknown>((now, step) => setIn(now, step.at, { next: step.value }), value) as JsonObject;
}

/** Entries with our name are ours, even if the user edited them. */
const OUR_NAME = 'signalbox';

function isAmong(item: Json, items: readonly Json[]): boolean {
  return items.some((other) => isDeepStrictEqual(other, item));
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
