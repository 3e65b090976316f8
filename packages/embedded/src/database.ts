import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { UnavailableError } from '@signalbox/core';
import { createSchema, SCHEMA_VERSION } from './schema.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A prepared statement; SQLite errors are thrown as `UnavailableError`. */
export type Statement = {
  run(...values: SQLInputValue[]): { readonly changes: number };
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): readonly Row[];
};

/** The single database file of an embedded workspace. All calls run in this process, synchronously. */
export type Database = {
  prepare(sql: string): Statement;
  /** All or nothing. Once it returns, the change survives the death of this process. Must not be nested. */
  transaction<Answer>(work: () => Answer): Answer;
  close(): void;
};

/** How long a statement waits for another writing process, such as a backup. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Pages of 4 KiB after which the write-ahead log is checkpointed into the file: 32 MiB. A checkpoint takes some
 * milliseconds; with SQLite's default of 1,000 pages it would delay one commit in a hundred.
 */
const CHECKPOINT_PAGES = 8000;

/**
 * Opens `state.db` in the folder, creating the folder if missing; both are accessible to their owner only.
 *
 * @throws {UnavailableError} `state-unsafe`, `state-corrupt`, `state-too-new`, `state-busy`, `disk-full` or
 * `state-unavailable`. The methods of the result throw the same, and `state-closed`. The file is never deleted or
 * replaced.
 */
export function openDatabase(folder: string): Database {
  const path = join(folder, 'state.db');
  return translated(path, () => {
    claimFile(folder, path);
    const connection = new (loadSqlite().DatabaseSync)(path);
    try {
      prepareFile(connection, path);
    } catch (error) {
      connection.close();
      throw error;
    }
    return toDatabase(connection, path);
  });
}

/** Loads `node:sqlite` without Node 22's warning that it is experimental (Node 24 prints none). */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Creates folder and file owner-only, before SQLite would create the file with the umask's permissions. */
function claimFile(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!lstatSync(folder).isDirectory()) throw unsafe(folder, 'it is a symbolic link');
  chmodSync(folder, 0o700);
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw unsafe(path, 'it is a symbolic link');
    throw error;
  }
  chmodSync(path, 0o600);
}

function prepareFile(connection: DatabaseSync, path: string): void {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > SCHEMA_VERSION)
    throw new UnavailableError('state-too-new', `Cannot open "${path}": a newer Signalbox wrote it`, {
      why: [`its schema has version ${version}; this Signalbox knows ${SCHEMA_VERSION} and older`],
      next: ['Update Signalbox'],
    });
  createSchema(connection);
}

function toDatabase(connection: DatabaseSync, path: string): Database {
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  return {
    prepare(sql) {
      const statement = translated(path, () => connection.prepare(sql));
      return {
        run: (...values) => ({ changes: Number(translated(path, () => statement.run(...values)).changes) }),
        get: (...values) => translated(path, () => statement.get(...values)),
        all: (...values) => translated(path, () => statement.all(...values)),
      };
    },
    transaction(work) {
      return translated(path, () => {
        begin.run();
        try {
          const answer = work();
          commit.run();
          return answer;
        } catch (error) {
          // After some errors, such as a full disk, SQLite has already rolled back.
          if (connection.isTransaction) connection.exec('ROLLBACK');
          throw error;
        }
      });
    },
    close() {
      if (connection.isOpen) connection.close();
    },
  };
}

function translated<Answer>(path: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    throw toUnavailable(path, error);
  }
}

/** Primary SQLite result codes (sqlite.org/rescode.html) that a person can act on. */
const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

function toUnavailable(path: string, error: unknown): unknown {
  // The code Node.js sets for a closed connection.
  if (codeOf(error) === 'ERR_INVALID_STATE')
    return new UnavailableError('state-closed', `Cannot use "${path}": it was closed`, { cause: error });
  if (codeOf(error) !== 'ERR_SQLITE_ERROR' && !isSystemError(error)) return error;
  const sqliteCode = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const details = { cause: error, why: [String(error instanceof Error ? error.message : error)] };
  switch (sqliteCode) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return new UnavailableError('state-corrupt', `Cannot read "${path}": it is damaged`, {
        ...details,
        next: [
          `Move it away to start over: mv "${path}" "${path}.damaged"`,
          'The audit log is another file and is not affected',
        ],
      });
    case BUSY:
      return new UnavailableError('state-busy', `Cannot write "${path}": another process is using it`, {
        ...details,
        next: ['Stop the other process, or wait for it'],
      });
    case FULL:
      return new UnavailableError('disk-full', `Cannot write "${path}": the disk is full`, {
        ...details,
        next: ['Free some space'],
      });
    default:
      return new UnavailableError('state-unavailable', `Cannot use "${path}": the system denied access`, {
        ...details,
        next: ['Check that you own the folder and can write to it'],
      });
  }
}

function unsafe(path: string, why: string): UnavailableError {
  return new UnavailableError('state-unsafe', `Cannot keep state in "${path}": ${why}`, {
    next: ['Replace it with a real one'],
  });
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
