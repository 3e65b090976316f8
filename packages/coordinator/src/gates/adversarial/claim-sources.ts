import type {
  ClaimSource,
  CommandId,
  CommandRecord,
  CommandResult,
  CommandStore,
  Effect,
  Json,
  SessionId,
} from '@signalbox/core';
import { hashOf } from '../../hash-of.ts';
import { keepLatest } from '../../keep-latest.ts';
import type { GatedCall } from '../gate.ts';

/** Bounds: the commands of a session that are read after a restart, and what is kept of each session. */
const MAX_COMMANDS = 100;
const MAX_SESSIONS = 20;
const MAX_WORDS = 50_000;
const MAX_CHARS_OF_OUTPUT = 100_000;
const MAX_CHARS_OF_ARGS = 20_000;
const MAX_NEEDLES = 16;
/** Shorter texts appear anywhere. */
const MIN_NEEDLE = 5;
const MAX_NEEDLE = 300;
/** Ends of a path that count as the path: `/w/src/a.ts` is `src/a.ts`, too. */
const MAX_ENDS = 8;

const SEPARATORS = /[\s'"`,;|&<>()[\]{}=]+/;

type Source = Pick<ClaimSource, 'kind' | 'name'> & { readonly commandId: CommandId };

/** What a session has read: by the hash of a word, the first command that had it. */
type Read = { readonly sources: Source[]; readonly words: Map<number, number> };

/** Where the paths and texts of calls first appeared in their sessions (S001-36, S001-41). */
export type ClaimSources = {
  /** The task, a file that was read, a URL that was fetched, or the output of a command; null if nowhere. */
  of(call: GatedCall): Promise<ClaimSource | null>;
  /** Call once for each ended command. */
  noteEnded(record: CommandRecord, result: CommandResult): void;
};

/**
 * An index, since a search through all outputs would take milliseconds for each call. What it finds is compared with
 * the stored output.
 *
 * @param parts.redact applied to the call; outputs are stored redacted
 */
export function createClaimSources({
  store,
  redact,
}: {
  readonly store: Pick<CommandStore, 'get' | 'list'>;
  readonly redact: (text: string) => string;
}): ClaimSources {
  const sessions = new Map<SessionId, Promise<Read>>();

  /** Begins with what the store has, as after a restart. */
  async function begin(sessionId: SessionId): Promise<Read> {
    const read: Read = { sources: [], words: new Map() };
    const earlier = await store.list({ sessionId, states: ['done'], limit: MAX_COMMANDS });
    for (const { result, ...record } of earlier.toReversed())
      if (result !== null) note(read, { record, result });
    return read;
  }

  function readBy(sessionId: SessionId): Promise<Read> {
    const read = sessions.get(sessionId) ?? begin(sessionId);
    keepLatest(sessions, sessionId, { value: read, max: MAX_SESSIONS });
    // A failed look-up is tried again.
    read.catch(() => sessions.delete(sessionId));
    return read;
  }

  return {
    async of({ call, context, verdict }) {
      const needles = needlesOf(verdict.effects, redact(textsIn(call.args).slice(0, MAX_CHARS_OF_ARGS)));
      if (needles.length === 0) return null;
      const inTask = needles.find((needle) => context.task?.includes(needle) === true);
      if (inTask !== undefined) return { kind: 'task', name: '', commandId: null, text: inTask };
      const { sources, words } = await readBy(context.sessionId);
      const found = needles.flatMap((text) => {
        const at = words.get(hashOf(text));
        return at === undefined ? [] : [{ text, at }];
      });
      for (const { text, at } of found.toSorted((a, b) => a.at - b.at)) {
        const source = sources[at];
        if (source === undefined) continue;
        const record = await store.get(source.commandId);
        if (record?.result?.content.includes(text) === true) return { ...source, text };
      }
      return null;
    },

    noteEnded(record, result) {
      // Of other sessions no call was judged yet.
      const read = sessions.get(record.context.sessionId);
      void read?.then((known) => note(known, { record, result })).catch(() => undefined);
    },
  };
}

function note(
  { sources, words }: Read,
  {
    record,
    result,
  }: {
    readonly record: Pick<CommandRecord, 'id' | 'title' | 'verdict'>;
    readonly result: CommandResult;
  },
): void {
  const at = sources.push({ ...sourceOf(record, result), commandId: record.id }) - 1;
  for (const word of result.content.slice(0, MAX_CHARS_OF_OUTPUT).split(SEPARATORS)) {
    if (words.size >= MAX_WORDS) return;
    for (const text of formsOf(word.slice(0, MAX_NEEDLE))) {
      const hash = hashOf(text);
      if (!words.has(hash)) words.set(hash, at);
    }
  }
}

/** The word, without the marks of a sentence and without a place in a file; and the ends of a path. */
function formsOf(word: string): readonly string[] {
  const plain = word.replace(/(?<![.,:!?])[.,:!?]{1,8}$/, '');
  const path = plain.replace(/(?::\d{1,7}){1,2}$/, '');
  const segments = path.includes('://') ? [] : path.split('/').slice(-MAX_ENDS);
  const ends = segments.map((_, at) => segments.slice(at).join('/'));
  return [word, plain, path, ...ends].filter((text) => text.length >= MIN_NEEDLE);
}

function sourceOf(
  { title, verdict }: Pick<CommandRecord, 'title' | 'verdict'>,
  { files, exitCode }: CommandResult,
): Pick<ClaimSource, 'kind' | 'name'> {
  const urls =
    verdict?.effects.flatMap((effect) => (effect.kind === 'network' ? [nameOf(effect)] : [])) ?? [];
  const [url] = urls;
  if (url !== undefined) return { kind: 'url', name: urlIn(title) ?? url };
  const file = files.find(({ kind }) => kind === 'read');
  return file === undefined || exitCode !== null
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
