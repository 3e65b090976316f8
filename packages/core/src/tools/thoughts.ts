import type { RawCall } from '../commands/call.ts';

/** Arguments with this prefix are a model's thoughts (S001-68). No tool reads them, and nothing stores them. */
export const THOUGHT_PREFIX = '_tafc_think';

/** Arguments without thoughts, and what was removed: `only` means that nothing else was there. */
export type StrippedArgs<Args = RawCall['args']> = {
  readonly args: Args;
  readonly thoughts: 'none' | 'some' | 'only';
};

/**
 * Removes thoughts from the arguments of a call, whether or not the model was offered a field for them.
 *
 * Text that is no JSON is cut where its first thought begins, so that neither the record nor an error quotes one.
 */
export function stripThoughts(args: string): StrippedArgs<string>;
export function stripThoughts(args: RawCall['args']): StrippedArgs;
export function stripThoughts(args: RawCall['args']): StrippedArgs {
  if (typeof args !== 'string') return stripFields(args);
  if (!args.includes(THOUGHT_PREFIX) && !args.includes(String.raw`\u`)) return { args, thoughts: 'none' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(args);
  } catch {
    return cutText(args);
  }
  if (!isFields(parsed)) return { args, thoughts: 'none' };
  const stripped = stripFields(parsed);
  return stripped.thoughts === 'none'
    ? { args, thoughts: 'none' }
    : { args: JSON.stringify(stripped.args), thoughts: stripped.thoughts };
}

function stripFields(fields: Readonly<Record<string, unknown>>): StrippedArgs<Record<string, unknown>> {
  const names = Object.keys(fields);
  if (!names.some(isThought)) return { args: fields, thoughts: 'none' };
  const kept = Object.entries(fields).filter(([name]) => !isThought(name));
  return { args: Object.fromEntries(kept), thoughts: kept.length === 0 ? 'only' : 'some' };
}

function cutText(text: string): StrippedArgs<string> {
  const plain = text.replaceAll(/\\u00([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  const start = plain.indexOf(THOUGHT_PREFIX);
  return start === -1 ? { args: text, thoughts: 'none' } : { args: plain.slice(0, start), thoughts: 'some' };
}

function isThought(name: string): boolean {
  return name.startsWith(THOUGHT_PREFIX);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
