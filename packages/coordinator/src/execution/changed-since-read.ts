import {
  type CallContext,
  type CommandRecord,
  type Files,
  type FileTouch,
  type ProviderId,
  type ReadHash,
  type ReadHashes,
  type SessionId,
  visibleName,
} from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';

/** Reports to a session, once for each change, which files others changed since it read them. */
export type ChangedSinceRead = {
  /** Records that this command writes these files, or has written them. */
  note(command: Pick<CommandRecord, 'context'>, changes: readonly Pick<FileTouch, 'path' | 'hash'>[]): void;
  /** Lines for the next answer to that caller; none if nothing changed. */
  notesFor(caller: Pick<CallContext, 'sessionId' | 'provider'>): Promise<readonly string[]>;
};

type Writer = { readonly provider: ProviderId; readonly session: SessionId; readonly hash: string | null };
type CheckedFile = { readonly stamp: string; readonly read: string | null };
type Changed = {
  readonly path: string;
  readonly by: string | null;
  readonly text: string | null;
  readonly was: ReadHash;
};

/** Files of a session that are checked: the last read ones. */
const MAX_CHECKED = 30;
/** Files named in one answer. */
const MAX_NAMED = 3;
/** Paths whose writers are remembered, and versions of each; a rejected commit leaves a version that never existed. */
const MAX_PATHS = 2000;
const MAX_VERSIONS = 4;
const MAX_SESSIONS = 200;
/** Larger files are not read again for a comparison. */
const MAX_BYTES = 1024 * 1024;

export function createChangedSinceRead(parts: {
  readonly files: Pick<Files, 'stampOf' | 'stat' | 'readText'>;
  readonly readHashesOf: (session: SessionId) => ReadHashes;
  /** Whether other processes coordinate the workspace too: then a change may come from one of their sessions. */
  readonly isShared: boolean;
}): ChangedSinceRead {
  const { files, readHashesOf } = parts;
  const writers = new Map<string, readonly Writer[]>();
  const checkedBySession = new Map<SessionId, Map<string, CheckedFile>>();

  async function changeOf(
    { sessionId: session, provider }: Pick<CallContext, 'sessionId' | 'provider'>,
    [path, was]: readonly [string, ReadHash],
    seen: Map<string, CheckedFile>,
  ): Promise<Changed | undefined> {
    const stamp = files.stampOf(path);
    const before = seen.get(path);
    if (before?.stamp === stamp && before.read === was.hash) return undefined;
    const isGone = (await files.stat(path)) === null;
    const now = isGone ? null : await files.readText(path, { maxBytes: MAX_BYTES });
    keepLatest(seen, path, { value: { stamp, read: was.hash }, max: 2 * MAX_CHECKED });
    const hash = now?.hash ?? null;
    if (hash === was.hash) return undefined;
    const writer = writers.get(path)?.findLast((one) => one.hash === hash);
    if (writer?.session === session) return undefined;
    return { path, by: nameOf(writer, provider), text: now?.text ?? null, was };
  }

  return {
    note({ context }, changes) {
      const { provider, sessionId: session } = context;
      for (const { path, hash } of changes) {
        const versions = (writers.get(path) ?? []).filter((one) => one.hash !== hash);
        keepLatest(writers, path, {
          value: [...versions, { provider, session, hash }].slice(-MAX_VERSIONS),
          max: MAX_PATHS,
        });
      }
    },
    async notesFor(caller) {
      const seen = checkedBySession.get(caller.sessionId) ?? new Map<string, CheckedFile>();
      keepLatest(checkedBySession, caller.sessionId, { value: seen, max: MAX_SESSIONS });
      const checked = await Promise.all(
        // Files that can no longer be read, or are not text, are not reported.
        readHashesOf(caller.sessionId)
          .latest(MAX_CHECKED)
          .map((reading) => changeOf(caller, reading, seen).catch(() => undefined)),
      );
      const changed = checked.filter((one) => one !== undefined);
      const lines = changed.slice(0, MAX_NAMED).map((one) => inWords(one, parts.isShared));
      const more = changed.length - MAX_NAMED;
      return more > 0 ? [...lines, `and ${more} more files that you read changed`] : lines;
    },
  };
}

function nameOf(writer: Writer | undefined, caller: ProviderId): string | null {
  if (writer === undefined) return null;
  if (writer.provider === 'you') return 'a person';
  return writer.provider === caller ? `another session of ${caller}` : writer.provider;
}

function inWords({ path, by, text, was }: Changed, isShared: boolean): string {
  const since = was.hash === null ? 'since you checked for it' : 'since you read it';
  const verb = text === null ? 'deleted' : was.hash === null ? 'created' : 'changed';
  const lines =
    text === null || was.text === null || was.hash === null ? '' : ` (${counted(was.text, text)})`;
  const name = visibleName(path);
  if (by !== null) return `${by} ${verb} ${name}${lines} ${since}`;
  return `${name} was ${verb}${isShared ? '' : ' outside Signalbox'}${lines} ${since}`;
}

/** Number of lines added or removed, whichever is larger; at least one, if lines only moved. */
function counted(before: string, after: string): string {
  const left = new Map<string, number>();
  for (const line of before.split('\n')) left.set(line, (left.get(line) ?? 0) + 1);
  let added = 0;
  let same = 0;
  for (const line of after.split('\n')) {
    const count = left.get(line) ?? 0;
    if (count === 0) added += 1;
    else {
      left.set(line, count - 1);
      same += 1;
    }
  }
  const removed = before.split('\n').length - same;
  const lines = Math.max(added, removed, 1);
  return lines === 1 ? '1 line' : `${lines} lines`;
}
