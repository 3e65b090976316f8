import type { JsonObject } from '@signalbox/core';

/**
 * The arguments of a call as an object, for replaying it: servers refuse a conversation whose calls don't
 * parse. Text that is no object is kept inside a stand-in, so that the model still sees what it wrote.
 */
export function toArgsObject(argsText: string): JsonObject {
  if (argsText.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(argsText);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Falls through to the stand-in.
  }
  return { unreadable_arguments: argsText };
}
