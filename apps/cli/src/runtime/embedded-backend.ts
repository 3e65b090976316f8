import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { highestFencingToken } from '@signalbox/coordinator';
import { type Clock, type Logger, type SchedulerLimits, UnavailableError } from '@signalbox/core';
import { acquireWorkspaceLock, createEmbeddedBackend } from '@signalbox/embedded';
import { recoverCommits } from '@signalbox/sandbox';
import { auditFilesOf } from './audit-files.ts';
import { isWriterGone, lockedWriter } from './commit-writers.ts';
import type { Backend } from './contract/backend.ts';
import { readRedisAddress } from './workspace/redis-address.ts';

const AUDIT_FILE = 'audit.jsonl';

/**
 * Backend of a lone coordinator: a lock, one file for state, one for the audit log.
 *
 * @throws {UnavailableError} `workspace-held`: another process has it. `workspace-shared`: coordinators on Redis have
 * it.
 */
export async function openEmbeddedBackend(options: {
  readonly folder: string;
  readonly host: { readonly name: string; readonly pid: number };
  readonly subcommand: string;
  readonly limits: SchedulerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<Backend> {
  const { folder, host, subcommand, limits, clock, logger } = options;
  const random = randomBytes;
  const lock = await acquireWorkspaceLock({
    folder,
    host: host.name,
    pid: host.pid,
    subcommand,
    clock,
    random,
  });
  try {
    if (readRedisAddress(folder) !== null) throw shared();
    const isNew = !existsSync(join(folder, 'state.db'));
    const fencingAbove = await highestFencingToken(auditFilesOf(dirname(folder)), isNew);
    const backend = await createEmbeddedBackend({ folder, clock, random, limits, logger, fencingAbove });
    const writer = lockedWriter(lock.holder);
    return {
      ...backend,
      writer,
      takeBackCommits: () =>
        recoverCommits(folder, { writer, isGone: (other) => isWriterGone(other, host.name) }),
      auditFile: join(folder, AUDIT_FILE),
      auditFiles: () => auditFilesOf(dirname(folder)),
      others: null,
      async close() {
        await backend.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function shared(): UnavailableError {
  return new UnavailableError(
    'workspace-shared',
    'Cannot lead this workspace alone: coordinators on Redis lead it',
    {
      why: ['a coordinator on Redis has just started here'],
      next: ['try again: this process then joins them'],
    },
  );
}
