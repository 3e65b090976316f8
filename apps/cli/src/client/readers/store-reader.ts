import { compressionOf, sessionAfter, type SessionView } from '@signalbox/api';
import { readStuckCommands, sessionStatsOf } from '@signalbox/coordinator';
import {
  type Clock,
  type CommandRecord,
  createRedactor,
  type Event,
  EventId,
  type EventLog,
  listPage,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import { isEnding, type StreamUpdate, type OutputChunk } from '../event-stream.ts';
import { pause } from '../pause.ts';
import type { Records } from '../../runtime/contract/runtime.ts';
import { fileDiff } from '../../runtime/contract/file-diff.ts';
import { readStateFile } from '../../runtime/workspace/state-file.ts';
import { namedIn, type Reader, type SessionRead, withCommands } from './reader.ts';

const POLL_EVERY_MS = 100;

/** The workspace from its local records. */
export function storeReader(records: Records, clock: Clock): Reader {
  const { store, monitor, files, facts, events } = records;
  const redactor = createRedactor({ secrets: [] });
  return {
    commands: {
      get: store.get,
      find: store.find,
      list: store.list,
      unfinished: store.unfinished,
      countUnfinished: store.countUnfinished,
      forgotten: records.forgotten,
    },
    page: (filter) => listPage(store, filter),
    history: (filter) => listPage(store, { ...filter, states: ['done'] }),
    async queue(max) {
      const snapshot = await records.queue(max);
      const found = await Promise.all(namedIn(snapshot).map((id) => store.get(id)));
      return withCommands(snapshot, await store.countUnfinished(), {
        stuck: await readStuckCommands(facts),
        found,
      });
    },
    mode: records.mode,
    stats: async (since) => ({
      providers: await monitor.stats(since),
      ...(await monitor.answers(since)),
      ...(await sessionStatsOf(events, since)),
    }),
    session: (id) => sessionIn(events, id),
    async changesOf(id) {
      const changes = await files.changesOf(id);
      return changes?.map((change) => fileDiff(change, redactor.redact)) ?? null;
    },
    printed: async (record, stream) => printed(record, stream, redactor.redact),
    follow: (record) => followOutput(record, records, clock),
    update: ({ signal }) => updatesOfRecords(events, { clock, signal }),
  };
}

/** From the kept events; a session whose coordinator has stopped may seem to run. */
async function sessionIn(
  events: Pick<EventLog, 'eachOfSessions'>,
  id: SessionId,
): Promise<SessionRead | null> {
  let session: SessionView | undefined;
  const compressions: SessionRead['compressions'][number][] = [];
  await events.eachOfSessions((event) => {
    if ('commandId' in event || !('sessionId' in event) || event.sessionId !== id) return;
    session = sessionAfter(session, event) ?? session;
    if (event.type === 'context_compressed') compressions.push(compressionOf(event));
  });
  return session === undefined ? null : { session, compressions };
}

/** The spilled text if it still exists, which is the full output; otherwise the stored part. */
function printed(
  { result }: CommandRecord,
  stream: 'stdout' | 'stderr',
  redact: (text: string) => string,
): string {
  const file = result?.spillFiles[stream];
  if (file === undefined) return result?.[stream] ?? '';
  try {
    const text = readStateFile(file);
    if (text !== null) return redact(text);
  } catch {
    // Only the stored part is left.
  }
  return result?.[stream] ?? '';
}

/** New entries of the event log, from now until the signal aborts, also across restarts of the coordinator. */
async function* updatesOfRecords(
  events: Pick<EventLog, 'since' | 'lastId'>,
  { clock, signal }: { readonly clock: Pick<Clock, 'timer'>; readonly signal: AbortSignal },
): AsyncGenerator<StreamUpdate, void> {
  let last = await events.lastId();
  yield { kind: 'begun' };
  while (!signal.aborted) {
    const page = await events.since(last);
    if (page.kind === 'reset') {
      last = await events.lastId();
      yield { kind: 'gap' };
      continue;
    }
    for (const event of page.events) yield { kind: 'event', event };
    last = page.events.at(-1)?.id ?? last;
    if (page.events.length === 0) await pause(POLL_EVERY_MS, clock, signal);
  }
}

/**
 * The output of a command from its beginning until it ends, as far as it is streamed live (1 MiB per stream).
 *
 * @throws {UnavailableError} `coordinator-gone` when its coordinator ended before it did
 */
export async function* followOutput(
  record: CommandRecord,
  { events, store, holder }: Pick<Records, 'events' | 'store' | 'holder'>,
  clock: Clock,
): AsyncGenerator<OutputChunk> {
  const { id } = record;
  let last: EventId | null = EventId.parse(`${Math.floor(record.submittedAt) - 1}-0`);
  for (;;) {
    // In this order: output is published before the end is stored.
    const isOver = (await store.get(id))?.state === 'done';
    const isLed = (await holder()) !== null;
    const page = await events.since(last);
    const found: readonly Event[] = page.kind === 'events' ? page.events : [];
    for (const event of found) {
      if (!('commandId' in event) || event.commandId !== id) continue;
      if (event.type === 'command_output') yield { stream: event.stream, text: event.output };
      if (isEnding(event)) return;
    }
    last = found.at(-1)?.id ?? (page.kind === 'reset' ? await events.lastId() : last);
    if (found.length > 0) continue;
    if (isOver) return;
    if (!isLed) throw gone(id);
    await pause(POLL_EVERY_MS, clock);
  }
}

function gone(id: CommandRecord['id']): UnavailableError {
  return new UnavailableError('coordinator-gone', `Cannot follow ${id} any longer: who led it is gone`, {
    next: ['signalbox status', 'the next signalbox run or serve settles it'],
  });
}
