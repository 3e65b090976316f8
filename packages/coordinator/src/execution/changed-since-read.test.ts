import { createReadHashes, type ReadHashes, type SessionId } from '@signalbox/core';
import { aProviderId, aSessionId, createMemoryFiles, hashOf } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createChangedSinceRead } from './changed-since-read.ts';

const OPENAI = { sessionId: aSessionId('mine'), provider: aProviderId('openai') };
const CODEX = { sessionId: aSessionId('theirs'), provider: aProviderId('codex') };

function setUp(isShared = false) {
  const files = createMemoryFiles({ files: { 'a.ts': 'one\ntwo\n', 'b.ts': 'b\n' } });
  const readHashes = new Map<SessionId, ReadHashes>([
    [OPENAI.sessionId, createReadHashes()],
    [CODEX.sessionId, createReadHashes()],
  ]);
  const readHashesOf = (session: SessionId) => readHashes.get(session) ?? createReadHashes();
  const changes = createChangedSinceRead({ files, readHashesOf, isShared });
  return {
    files,
    changes,
    async read(path: string, caller = OPENAI) {
      const { hash, text } = await files.readText(path);
      readHashesOf(caller.sessionId).note(path, { hash, text });
    },
    async write(path: string, text: string, caller: typeof CODEX | null = CODEX) {
      const entry = await files.stat(path);
      const { hash } = await files.write(path, text, {
        expected: entry === null ? 'absent' : (await files.readText(path)).hash,
      });
      if (caller !== null) changes.note({ context: caller as never }, [{ path, hash }]);
    },
  };
}

test('another provider’s change of a file that was read is reported once, with its line count', async () => {
  const { changes, read, write } = setUp();
  await read('a.ts');
  expect(await changes.notesFor(OPENAI)).toEqual([]);
  await write('a.ts', 'one\n2\nthree\n');
  expect(await changes.notesFor(OPENAI)).toEqual(['codex changed a.ts (2 lines) since you read it']);
  expect(await changes.notesFor(OPENAI)).toEqual([]);
  await write('a.ts', 'one\n2\nTHREE\n');
  expect(await changes.notesFor(OPENAI)).toHaveLength(1);
  await read('a.ts');
  expect(await changes.notesFor(OPENAI)).toEqual([]);
});

test('an editor’s change is reported as one from outside; with other coordinators its origin is unknown', async () => {
  for (const [isShared, words] of [
    [false, 'a.ts was changed outside Signalbox (1 line) since you read it'],
    [true, 'a.ts was changed (1 line) since you read it'],
  ] as const) {
    const { changes, read, write } = setUp(isShared);
    await read('a.ts');
    await write('a.ts', 'ONE\ntwo\n', null);
    expect(await changes.notesFor(OPENAI)).toEqual([words]);
  }
});

test('a session’s own change, by whatever tool, is not reported; one by another session of the same provider is', async () => {
  const { changes, read, write } = setUp();
  await read('a.ts');
  await write('a.ts', 'mine\n', OPENAI);
  expect(await changes.notesFor(OPENAI)).toEqual([]);
  await write('a.ts', 'other\n', { ...OPENAI, sessionId: aSessionId('second') });
  expect(await changes.notesFor(OPENAI)).toEqual([
    'another session of openai changed a.ts (2 lines) since you read it',
  ]);
});

test('a removed or new file, and a person’s undo, are reported as such', async () => {
  const { files, changes, read, write } = setUp();
  await read('b.ts');
  await files.remove('b.ts', hashOf('b\n'));
  changes.note({ context: CODEX as never }, [{ path: 'b.ts', hash: null }]);
  expect(await changes.notesFor(OPENAI)).toEqual(['codex deleted b.ts since you read it']);
  await read('a.ts');
  await write('a.ts', 'undone\n', { ...CODEX, provider: aProviderId('you') });
  expect(await changes.notesFor(OPENAI)).toEqual(['a person changed a.ts (2 lines) since you read it']);
});

test('of many changes a few are named, and all are reported once', async () => {
  const { changes, read, write } = setUp();
  const paths = Array.from({ length: 6 }, (_, at) => `${at}.ts`);
  for (const path of paths) await write(path, 'x\n', null);
  for (const path of paths) await read(path);
  for (const path of paths) await write(path, 'y\n');
  const reported = await changes.notesFor(OPENAI);
  expect(reported).toHaveLength(4);
  expect(reported.at(-1)).toBe('and 3 more files that you read changed');
  expect(await changes.notesFor(OPENAI)).toEqual([]);
});
