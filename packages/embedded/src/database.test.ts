import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aCommandId,
  aCommandRecord,
  anOutputEvent,
  createManualClock,
  createMemoryLogger,
  createSeededRandom,
  ended,
} from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createEmbeddedBackend } from './backend.ts';
import { loadSqlite, openDatabase } from './database.ts';

test('the folder and its files are made accessible to their owner only, whatever their mode was', async () => {
  const folder = await someFolder();
  await mkdir(folder);
  await chmod(folder, 0o755);
  const backend = await start(folder);
  await backend.store.commit(aCommandRecord(), []);
  expect(await modeOf(folder)).toBe('700');
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm'])
    expect([name, await modeOf(join(folder, name))]).toEqual([name, '600']);
});

test('a file of a newer Signalbox is rejected and left unchanged', async () => {
  const folder = await someFolder();
  const database = openDatabase(folder);
  database.prepare('PRAGMA user_version = 99').all();
  database.close();
  const before = await readFile(join(folder, 'state.db'));
  expect(failureToOpen(folder)).toMatchObject({
    code: 'state-too-new',
    message: `Cannot open "${join(folder, 'state.db')}": a newer Signalbox wrote it`,
    next: ['Update Signalbox'],
  });
  expect(await readFile(join(folder, 'state.db'))).toEqual(before);
});

test('a file that is not a database is rejected with advice and left unchanged', async () => {
  const folder = await someFolder();
  await mkdir(folder);
  const path = join(folder, 'state.db');
  await writeFile(path, 'this was never a database, but it is long enough to look at\n'.repeat(20));
  const before = await readFile(path);
  expect(failureToOpen(folder)).toMatchObject({
    code: 'state-corrupt',
    message: `Cannot read "${path}": it is damaged`,
    next: [
      `Move it away to start over: mv "${path}" "${path}.damaged"`,
      'The audit log is another file and is not affected',
    ],
  });
  expect(await readFile(path)).toEqual(before);
});

test('reading a database with broken pages reports the corruption', async () => {
  const folder = await someFolder();
  const first = await start(folder);
  for (let n = 0; n < 200; n++) await first.store.commit(aCommandRecord({ id: aCommandId(`c${n}`) }), []);
  await first.close();
  const path = join(folder, 'state.db');
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0x5a, 4096));
  await expect(start(folder).then(({ store }) => store.list({ limit: 1000 }))).rejects.toMatchObject({
    code: 'state-corrupt',
  });
});

test('a symbolic link in place of the folder or the file is rejected', async () => {
  const elsewhere = await someFolder();
  await mkdir(elsewhere);
  const linked = await someFolder();
  await symlink(elsewhere, linked);
  expect(failureToOpen(linked)).toMatchObject({ code: 'state-unsafe' });
  const folder = await someFolder();
  await mkdir(folder);
  await writeFile(join(elsewhere, 'precious'), '');
  await symlink(join(elsewhere, 'precious'), join(folder, 'state.db'));
  expect(failureToOpen(folder)).toMatchObject({ code: 'state-unsafe' });
  expect(await readFile(join(elsewhere, 'precious'), 'utf8')).toBe('');
});

test('a file in place of the folder causes an error that names it', async () => {
  const folder = await someFolder();
  await writeFile(folder, '');
  expect(failureToOpen(folder)).toMatchObject({
    code: 'state-unavailable',
    message: `Cannot use "${join(folder, 'state.db')}": the system denied access`,
  });
});

test('stored data survives a restart', async () => {
  const folder = await someFolder();
  const first = await start(folder);
  await first.store.commit(aCommandRecord(), [anOutputEvent('a')]);
  await first.counters.take({ key: 'a', limit: 2, windowMs: 1000 });
  await first.facts.set('mode', 'ALERT');
  const replay = await first.events.since(null);
  await first.close();
  await first.close();
  const second = await start(folder);
  expect(await second.store.unfinished()).toEqual([aCommandRecord()]);
  expect(await second.events.since(null)).toEqual(replay);
  expect(await second.counters.used('a', 1000)).toBe(1);
  expect(await second.facts.get('mode')).toBe('ALERT');
});

test('a file of version 1 opens, and its totals count both kept and rotated commands (S003-79)', async () => {
  const folder = await someFolder();
  const first = await start(folder);
  const record = { ...ended(aCommandRecord()), revision: 1 };
  await first.store.commit(record, []);
  const [line] = await first.store.totals();
  expect(line).toMatchObject({ tool: record.call.tool, outcome: 'completed', commands: 1 });
  await first.close();
  const old = new (loadSqlite().DatabaseSync)(join(folder, 'state.db'));
  old.exec(`
    ALTER TABLE totals RENAME TO rotated_totals;
    UPDATE rotated_totals SET commands = 4;
    DROP TABLE runs;
    DROP TABLE run_parts;
    PRAGMA user_version = 1;
  `);
  old.close();
  const second = await start(folder);
  expect(await second.store.totals()).toMatchObject([{ tool: record.call.tool, commands: 5 }]);
  await second.store.rotate({ atLeast: 0, since: Infinity, maxBytes: 0 });
  expect(await second.store.totals()).toMatchObject([{ tool: record.call.tool, commands: 5 }]);
});

test('a commit is readable by other processes when its subscribers are notified', async () => {
  const folder = await someFolder();
  const { store, events } = await start(folder);
  const revisions: unknown[] = [];
  events.subscribe(() => {
    const other = openDatabase(folder);
    revisions.push(other.prepare('SELECT revision FROM commands').get()?.['revision']);
    other.close();
  });
  await store.commit(aCommandRecord(), [anOutputEvent()]);
  await store.commit(aCommandRecord({ revision: 2 }), [anOutputEvent()]);
  expect(revisions).toEqual([1, 2]);
});

test('a closed backend rejects writes with UnavailableError', async () => {
  const backend = await start(await someFolder());
  await backend.close();
  await expect(backend.store.commit(aCommandRecord(), [])).rejects.toMatchObject({ code: 'state-closed' });
});

async function someFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'signalbox-state-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, '.signalbox');
}

async function start(folder: string) {
  const backend = await createEmbeddedBackend({
    folder,
    clock: createManualClock(),
    random: createSeededRandom(),
    limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
    logger: createMemoryLogger(),
  });
  onTestFinished(() => backend.close());
  return backend;
}

function failureToOpen(folder: string): unknown {
  try {
    openDatabase(folder).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
