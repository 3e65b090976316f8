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
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
