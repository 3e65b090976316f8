import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { Hello } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { type CoordinatorRecord, readRecord, requirePrivate } from '../runtime/server/coordinator-record.ts';
import { refusalOf } from './send-to.ts';
import { readAt } from './fetch-at.ts';

/** A hanging process still accepts connections. */
const ANSWERS_WITHIN_MS = 5000;
const MAX_HELLO_BYTES = 64 * 1024;

export type FoundCoordinator = Readonly<{
  access: LocalAccess;
  hello: Hello;
}>;

type Where = Pick<Context, 'directory' | 'clock'>;

/**
 * The coordinator that runs in the workspace now; null if there is none, whatever a dead one has left.
 *
 * @throws {UnavailableError} `coordinator-hangs`; `other-workspace` if it leads another workspace; `state-unsafe`
 * unless its folder belongs to this account alone
 */
export async function findCoordinator(
  { directory, clock }: Where,
  what: string,
): Promise<FoundCoordinator | null> {
  const record = readRecord(directory);
  if (record === null) return null;
  const access = { url: 'http://localhost', token: '', pid: record.pid, socket: record.socket };
  const late = new AbortController();
  const cancel = clock.timer(ANSWERS_WITHIN_MS, () => late.abort());
  try {
    requirePrivate(dirname(record.socket));
    const { status, text } = await readAt(access, '/api/hello', {
      signal: late.signal,
      maxBytes: MAX_HELLO_BYTES,
    });
    const answer: unknown = JSON.parse(text);
    // For example, it is stopping.
    if (status < 200 || status >= 300) throw refusalOf(access.url, status, { body: answer });
    const hello = Hello.parse(answer, { jitless: true });
    if (hello.workspace !== realpathSync(directory)) throw leadsAnother(directory, what, hello);
    return { access: { ...access, pid: hello.pid }, hello };
  } catch (error) {
    if (late.signal.aborted) throw await hangs(record, what);
    if (isGone(error)) return null;
    throw notUnderstood(error, what);
  } finally {
    cancel();
  }
}

/** A folder copied or moved with its record, or an unrelated program on that socket. */
function leadsAnother(directory: string, what: string, { workspace, pid }: Hello): UnavailableError {
  return new UnavailableError('other-workspace', `Cannot ${what}: the coordinator leads another workspace`, {
    why: [`process ${pid} reports the workspace "${workspace.slice(0, 200)}", but this is "${directory}"`],
    next: [`kill ${pid}   stops it, if it is your Signalbox`, 'signalbox logs'],
  });
}

/** No process listens there, or none any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Names the process only if it certainly wrote the record: pids are reused. */
async function hangs({ pid, process: identity }: CoordinatorRecord, what: string): Promise<UnavailableError> {
  const { livenessOf, ProcessIdentity } = await import('@signalbox/embedded');
  const parsed = ProcessIdentity.safeParse(identity);
  const isKnown = parsed.success && (await livenessOf(parsed.data, hostname())) === 'alive';
  const waited = `accepted the connection but sent nothing within ${ANSWERS_WITHIN_MS / 1000} s`;
  return new UnavailableError('coordinator-hangs', `Cannot ${what}: the coordinator does not answer`, {
    why: [isKnown ? `process ${pid} ${waited}` : `it ${waited}`],
    next: [
      'try again: the machine may be busy',
      ...(isKnown ? [`kill ${pid}   stops it and its commands; the next start settles them`] : []),
      'signalbox logs',
    ],
  });
}

function notUnderstood(cause: unknown, what: string): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError('other-protocol', `Cannot ${what}: its coordinator sent an unknown answer`, {
    why: ['it is another version of Signalbox, or another program'],
    next: ['signalbox stop', 'signalbox logs'],
    cause,
  });
}
