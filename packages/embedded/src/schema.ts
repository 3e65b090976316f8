import type { DatabaseSync } from 'node:sqlite';

/** Incremented with each change of the tables; a file of a higher version is rejected. */
export const SCHEMA_VERSION = 3;

/** Searched fields of a command have their own columns; the record itself is JSON. */
const TABLES = `
  CREATE TABLE commands (
    arrival      INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT NOT NULL UNIQUE,
    revision     INTEGER NOT NULL,
    state        TEXT NOT NULL,
    provider     TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    tool         TEXT NOT NULL,
    submitted_at REAL NOT NULL,
    ended_at     REAL,
    outcome      TEXT,
    duration_ms  REAL,
    waited_ms    REAL,
    record       TEXT NOT NULL
  ) STRICT;
  CREATE INDEX commands_newest ON commands (submitted_at, id);
  CREATE INDEX commands_unfinished ON commands (arrival) WHERE state <> 'done';
  CREATE INDEX commands_ended ON commands (ended_at, arrival) WHERE state = 'done';

  -- Renamed below: it is what all commands add up to that ever ended.
  CREATE TABLE rotated_totals (
    provider    TEXT NOT NULL,
    tool        TEXT NOT NULL,
    outcome     TEXT NOT NULL,
    commands    INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    waited_ms   REAL NOT NULL,
    PRIMARY KEY (provider, tool, outcome)
  ) STRICT, WITHOUT ROWID;

  -- position counts without gaps; (ms, n) is the event's id.
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    ms       INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    at       REAL NOT NULL,
    event    TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_id ON events (ms, n);
  -- The id of the last event that was trimmed; no row before the first trimming.
  CREATE TABLE trimmed (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    ms   INTEGER NOT NULL,
    n    INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE counted (key TEXT NOT NULL, at REAL NOT NULL) STRICT;
  CREATE INDEX counted_by_key ON counted (key, at);
  CREATE TABLE counted_for_ever (key TEXT PRIMARY KEY, used INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Migration from version 1: totals count each command when it ends, not when it is rotated away. */
const RUNNING_TOTALS = `
  ALTER TABLE rotated_totals RENAME TO totals;
  INSERT INTO totals (provider, tool, outcome, commands, duration_ms, waited_ms)
    SELECT provider, tool, outcome, count(*), total(duration_ms), total(waited_ms) FROM commands
    WHERE state = 'done' AND outcome IS NOT NULL
    GROUP BY provider, tool, outcome
    ON CONFLICT DO UPDATE SET commands = commands + excluded.commands,
      duration_ms = duration_ms + excluded.duration_ms, waited_ms = waited_ms + excluded.waited_ms;
`;

/** Migration from version 2: runs that are not over, the run itself and its sessions as JSON. */
const RUNS = `
  CREATE TABLE runs (id TEXT PRIMARY KEY, owner TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE run_parts (
    run_id TEXT NOT NULL,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
  ) STRICT;
`;

/** Creates the tables of a new file or migrates those of an older one, all or nothing. */
export function createSchema(connection: DatabaseSync): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) connection.exec(TABLES);
    if (version < 2) connection.exec(RUNNING_TOTALS);
    if (version < 3) connection.exec(`${RUNS} PRAGMA user_version = ${SCHEMA_VERSION};`);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
