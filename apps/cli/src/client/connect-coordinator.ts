import { basename, dirname } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { type CoordinatorRecord, readRecord, requirePrivate } from './coordinator-record.ts';
import { fetchAt } from './fetch-at.ts';

/** A process that hangs still accepts connections. */
const ANSWERS_WITHIN_MS = 5000;

/** What the server says of itself; a newer one may say more. */
export const CoordinatorHello = z.object({
  version: z.string(),
  protocol: z.int(),
  pid: z.int(),
  since: z.number(),
  backend: z.string(),
  workspace: z.string(),
});
export type CoordinatorHello = z.infer<typeof CoordinatorHello>;

type Where = Pick<Context, 'directory' | 'doors' | 'env' | 'user' | 'clock'>;

/**
 * The coordinator of the workspace, reached as its owner.
 *
 * @param options `what` is being done, for the sentence that says that it cannot be: `list the approvals`. `start`: starts
 *   one where none runs.
 * @throws {UnavailableError} `no-coordinator` where none runs and none is to be started; `coordinator-hangs` where one
 *   accepts and does not answer; what keeps a new one from starting.
 */
export async function connectCoordinator(
  context: Where,
  { what, start }: Readonly<{ what: string; start: boolean }>,
): Promise<LocalAccess> {
  const found = await findCoordinator(context, what);
  if (found !== null) return found.access;
  if (!start) throw noCoordinator(context, what);
  await context.doors.startCoordinator({
    workspace: context.directory,
    env: context.env,
    user: context.user,
  });
  const started = await findCoordinator(context, what);
  if (started === null) throw noCoordinator(context, what);
  return started.access;
}

/** Null where none runs. @throws {UnavailableError} `coordinator-hangs` */
export async function findCoordinator(
  { directory, clock }: Pick<Context, 'directory' | 'clock'>,
  what: string,
): Promise<Readonly<{ access: LocalAccess; hello: CoordinatorHello }> | null> {
  const record = readRecord(directory);
  if (record === null) return null;
  const folder = dirname(record.socket);
  const access = accessOf(record);
  const late = new AbortController();
  const cancel = clock.timer(ANSWERS_WITHIN_MS, () => late.abort());
  try {
    requirePrivate(folder);
    const response = await fetchAt(access, '/api/hello', { signal: late.signal });
    const hello = CoordinatorHello.parse(await response.json());
    return { access: { ...access, pid: hello.pid }, hello };
  } catch (error) {
    if (late.signal.aborted) throw hangs(record, what);
    if (isGone(error)) return null;
    throw error;
  } finally {
    cancel();
  }
}

function accessOf({ pid, socket }: CoordinatorRecord): LocalAccess {
  return { url: 'http://localhost', token: '', pid, socket };
}

/** Nobody listens there, or nobody any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

function hangs({ pid }: CoordinatorRecord, what: string): UnavailableError {
  return new UnavailableError('coordinator-hangs', `Cannot ${what}: the coordinator does not answer`, {
    why: [`process ${pid} accepts connections and said nothing within ${ANSWERS_WITHIN_MS / 1000} s`],
    next: [
      'try again: the machine may be busy',
      `kill ${pid}   ends it and what runs in it; the next start settles that`,
    ],
  });
}

function noCoordinator({ directory }: Pick<Context, 'directory'>, what: string): UnavailableError {
  return new UnavailableError('no-coordinator', `Cannot ${what}: nothing runs in "${basename(directory)}"`, {
    why: ['a pending approval stays pending, and can be answered when work goes on'],
    next: ['signalbox run …', 'past: signalbox history'],
  });
}
