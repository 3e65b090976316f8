import type { ClaimSource, CommandRecord, CommandStore, Effect, Json } from '@signalbox/core';
import type { GatedCall } from '../gate.ts';

/** Bounds of one search; the earliest commands of a longer session are not searched. */
const MAX_COMMANDS = 100;
const MAX_CHARS_OF_OUTPUT = 100_000;
const MAX_CHARS_OF_ARGS = 20_000;
const MAX_NEEDLES = 16;
/** Shorter texts appear anywhere. */
const MIN_NEEDLE = 5;
const MAX_NEEDLE = 300;

const SEPARATORS = /[\s'"`,;|&<>()[\]{}=]+/;

/**
 * Where the paths and texts of a call first appeared in its session: the task, a file that it read, a URL that it
 * fetched, or the output of a command (S001-36, S001-41). Null if nowhere.
 *
 * @param redact applied to the call; outputs are stored redacted
 */
export async function claimSourceOf(
  { call, context, verdict }: GatedCall,
  {
    store,
    redact,
  }: { readonly store: Pick<CommandStore, 'list'>; readonly redact: (text: string) => string },
): Promise<ClaimSource | null> {
  const needles = needlesOf(verdict.effects, redact(textsIn(call.args).slice(0, MAX_CHARS_OF_ARGS)));
  if (needles.length === 0) return null;
  const inTask = needles.find((needle) => context.task?.includes(needle) === true);
  if (inTask !== undefined) return { kind: 'task', name: '', commandId: null, text: inTask };
  const earlier = await store.list({ sessionId: context.sessionId, states: ['done'], limit: MAX_COMMANDS });
  for (const record of earlier.toReversed()) {
    const text = needles.find((needle) => readBy(record).includes(needle));
    if (text !== undefined) return { ...sourceOf(record), commandId: record.id, text };
  }
  return null;
}

function readBy({ result }: CommandRecord): string {
  return result?.content.slice(0, MAX_CHARS_OF_OUTPUT) ?? '';
}

function sourceOf({ title, result, verdict }: CommandRecord): Pick<ClaimSource, 'kind' | 'name'> {
  const urls =
    verdict?.effects.flatMap((effect) => (effect.kind === 'network' ? [nameOf(effect)] : [])) ?? [];
  const [url] = urls;
  if (url !== undefined) return { kind: 'url', name: urlIn(title) ?? url };
  const [file] = result?.files.filter(({ kind }) => kind === 'read') ?? [];
  return file === undefined || result?.exitCode != null
    ? { kind: 'output', name: title }
    : { kind: 'file', name: file.path };
}

function urlIn(title: string): string | undefined {
  return title.split(/[\s'"]+/).find((word) => /^https?:\/\//.test(word));
}

function nameOf(effect: Extract<Effect, { kind: 'network' }>): string {
  return effect.host ?? 'an unknown host';
}

/** Paths first: they say most about what a call acts on. */
function needlesOf(effects: readonly Effect[], text: string): readonly string[] {
  const paths = effects.flatMap((effect) => ('path' in effect ? [effect.path] : []));
  const words = text.split(SEPARATORS);
  const named = words.filter((word) => /[/.:@]/.test(word));
  const long = words.filter((word) => word.length >= 12);
  const all = [...paths, ...named, ...long].map((word) => word.slice(0, MAX_NEEDLE));
  return [...new Set(all)].filter((word) => word.length >= MIN_NEEDLE).slice(0, MAX_NEEDLES);
}

function textsIn(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value).map(textsIn).join('\n');
}
