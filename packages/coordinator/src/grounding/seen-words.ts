import type { SessionId } from '@signalbox/core';
import { hashOf } from '../hash-of.ts';
import { keepLatest } from '../keep-latest.ts';

/** Paths and ids that the model of each session has read, or that its task names. */
export type SeenWords = {
  /** Whether there is a text of the session yet. */
  knows(session: SessionId): boolean;
  note(session: SessionId, text: string): void;
  /** Whether the path, its end or its name was in a text; true if so much was read that older words are dropped. */
  hasPath(session: SessionId, path: string): boolean;
  /** The same for an id; hexadecimal ones may be shortened. */
  hasId(session: SessionId, id: string): boolean;
};

/** The latest sessions are kept, each with so many different words, about 1 MB. */
const MAX_SESSIONS = 50;
const MAX_WORDS = 50_000;
/** UTF-16 units read of one text. */
const MAX_TEXT = 262_144;
const MAX_WORD = 512;
/** Git never shortens a commit id further. */
const SHORT_HEX = 7;

const WORD = /[\p{L}\p{N}_$@~^+%./\\-]+/gu;

/**
 * Only hashes of the words are kept: a part of a text would keep the whole text in memory. Two words with one hash
 * count as one, so an unknown word may pass as known.
 *
 * @param workspace Absolute; paths below it count as relative ones too.
 */
export function createSeenWords(workspace: string): SeenWords {
  const sessions = new Map<SessionId, Set<number>>();
  const root = `${workspace}/`;

  function has(session: SessionId, keys: readonly string[]): boolean {
    const words = sessions.get(session);
    if (words === undefined) return false;
    return words.size >= MAX_WORDS || keys.some((key) => words.has(hashOf(key)));
  }

  return {
    knows: (session) => sessions.has(session),
    note(session, text) {
      const words = sessions.get(session) ?? new Set<number>();
      keepLatest(sessions, session, { value: words, max: MAX_SESSIONS });
      for (const [word] of text.slice(0, MAX_TEXT).matchAll(WORD)) {
        if (words.size >= MAX_WORDS) return;
        if (word.length > MAX_WORD || /^[\d.-]+$/.test(word)) continue;
        for (const key of keysOf(word.startsWith(root) ? word.slice(root.length) : word))
          words.add(hashOf(key));
      }
    },
    hasPath(session, path) {
      const segments = path.split('/');
      const ends = segments.map((_, at) => `path:${segments.slice(at).join('/').toLowerCase()}`);
      return has(session, [...ends, stemKey(path)]);
    },
    hasId: (session, id) => has(session, [idKey(id)]),
  };
}

function keysOf(word: string): readonly string[] {
  const path = withoutEnd(word.replace(/^(?:\.{1,2}\/)+/, ''));
  // An import names a file without its ending.
  const stem = /^\.{1,2}\//.test(word) ? [stemKey(path)] : [];
  return [`path:${path.toLowerCase()}`, ...stem, ...word.split(/\.\.|[~^@./]/).map(idKey)];
}

/** Without the dots and slashes that end a sentence or name a folder. */
function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 0 && './'.includes(path.charAt(end - 1))) end -= 1;
  return path.slice(0, end);
}

function stemKey(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `stem:${name.replace(/(?<=.)\.\w+$/, '').toLowerCase()}`;
}

function idKey(id: string): string {
  const lower = id.toLowerCase();
  return `id:${/^[0-9a-f]+$/.test(lower) ? lower.slice(0, SHORT_HEX) : lower}`;
}
