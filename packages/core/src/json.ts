import * as z from 'zod';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export const Json: z.ZodType<Json> = z.json();

export const JsonObject = z.record(z.string(), Json).readonly();
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * The same text for the same value whatever the order of its keys, for hashing (RFC 8785 but for its number format,
 * which `JSON.stringify` already has).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

/** The same with sorted keys at every depth; what has its own notation in JSON, such as a date, keeps it. */
function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).map(([key, part]) => [key, inOrder(part)] as const);
  // Many objects are in order.
  const isSorted = entries.every(([key], at) => at === 0 || (entries[at - 1]?.[0] ?? '') < key);
  return Object.fromEntries(isSorted ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
