import type { JsonObject, PreviewPart, ToolOrigin } from '@signalbox/core';

const MAX_ARGS = 40;
const MAX_VALUE = 2000;

/** Every argument of a foreign tool, in its order. */
export function toolPart(origin: ToolOrigin, args: JsonObject): PreviewPart {
  const all = Object.entries(args);
  const shown = all.slice(0, MAX_ARGS).map(([name, value]) => ({ name, value: textOf(value) }));
  const left = all.length - MAX_ARGS;
  return {
    kind: 'tool',
    ...origin,
    args: left > 0 ? [...shown, { name: '…', value: `${left} more arguments` }] : shown,
  };
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  if (text.length <= MAX_VALUE) return text;
  return `${text.slice(0, MAX_VALUE).toWellFormed()}… (${text.length - MAX_VALUE} more characters)`;
}
