import type { JsonObject } from '@signalbox/core';

/**
 * Parses the arguments of a call for sending it back: servers reject a conversation with arguments that don't
 * parse. Text that isn't a JSON object is wrapped in one, so that the model still sees what it wrote.
 */
export function toArgsObject(argsText: string): JsonObject {
  if (argsText.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(argsText);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Not JSON: wrapped below.
  }
  return { unreadable_arguments: argsText };
}
