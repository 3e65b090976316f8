import { type Json, type JsonObject, UsageError } from '@signalbox/core';
import { parse as parseToml } from 'smol-toml';
import type { AgentFile } from './agents.ts';

/**
 * The text of a settings file with what an agent needs in it; everything else stays.
 *
 * @param before the file as it stands; null when there is none.
 * @throws {UsageError} `agent-file` when it cannot be changed without losing something.
 */
export function changedText(file: AgentFile, before: string | null): string {
  return file.kind === 'json' ? changedJson(file, before) : changedToml(file, before);
}

function changedJson(file: Extract<AgentFile, { kind: 'json' }>, before: string | null): string {
  const present = before === null || before.trim() === '' ? {} : parsedJson(file, before);
  const merged = merge(present, file.content);
  if (before !== null && JSON.stringify(merged) === JSON.stringify(present)) return before;
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function parsedJson({ path, content }: Extract<AgentFile, { kind: 'json' }>, text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Comments, or a mistake: both would be lost.
  }
  throw new UsageError('agent-file', `Cannot change "${path}": it is not plain JSON`, {
    why: ['writing it anew would lose its comments'],
    next: [`put this into it by hand: ${JSON.stringify(content)}`],
  });
}

/** Objects are merged, lists hold what they held and what is new, all else is replaced. */
function merge(present: JsonObject, wanted: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...present };
  for (const [key, value] of Object.entries(wanted)) {
    const old = merged[key];
    if (isObject(old) && isObject(value)) merged[key] = merge(old, value);
    else if (Array.isArray(old) && Array.isArray(value) && key !== 'args' && key !== 'command')
      merged[key] = [...new Set([...(old as Json[]), ...(value as Json[])])];
    else merged[key] = value;
  }
  return merged;
}

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function changedToml(
  { path, content, tables }: Extract<AgentFile, { kind: 'toml' }>,
  before: string | null,
): string {
  if (before === null || before.trim() === '') return content;
  if (before.includes(content.trimEnd())) return before;
  const present = parsedToml(path, before);
  const taken = tables.filter((table) => at(present, table.split('.')) !== undefined);
  if (taken.length === 0) return `${before.trimEnd()}\n\n${content}`;
  throw new UsageError(
    'agent-file',
    `Cannot change "${path}": it has ${taken.map((table) => `[${table}]`).join(' and ')} already`,
    {
      next: ['put these lines there by hand:', ...content.trimEnd().split('\n')],
    },
  );
}

function parsedToml(path: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    throw new UsageError('agent-file', `Cannot change "${path}": it is not valid TOML`, {
      why: error instanceof Error ? [error.message.split('\n')[0] ?? ''] : [],
      cause: error,
    });
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) =>
      part !== null && typeof part === 'object' ? (part as Record<string, unknown>)[key] : undefined,
    value,
  );
}
