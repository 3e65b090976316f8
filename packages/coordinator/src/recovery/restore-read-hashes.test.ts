import type { FileTouch } from '@signalbox/core';
import {
  aCommandId,
  aCommandRecord,
  aSessionId,
  createManualClock,
  createMemoryStore,
  ended,
  hashOf,
  SOME_TIME,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createReadHashRestorer } from './restore-read-hashes.ts';

test('a session’s restored read hashes are the newest of its own files, without their texts', async () => {
  const clock = createManualClock();
  const { store } = createMemoryStore(clock);
  const touch = async (
    label: string,
    text: string,
    { sessionId = aSessionId() }: Readonly<{ sessionId?: string & import('zod').$brand<'SessionId'> }> = {},
  ): Promise<void> => {
    const submittedAt = SOME_TIME + Number(label.replace(/\D/g, ''));
    const first = aCommandRecord({ id: aCommandId(label), submittedAt });
    const record = ended({ ...first, revision: 0, context: { ...first.context, sessionId } });
    const files: FileTouch[] = [{ path: 'a.ts', kind: 'read', hash: hashOf(text) }];
    if (record.result === null) throw new Error('no result');
    await store.commit({ ...record, result: { ...record.result, files } }, []);
  };
  await touch('a2', 'new');
  await touch('a1', 'old');
  await touch('a3', 'of another', { sessionId: aSessionId('b') });
  let asked = 0;
  const list: typeof store.list = (filter) => {
    asked += 1;
    return store.list(filter);
  };
  const restoreReadHashes = createReadHashRestorer({ list }, clock);
  const readHashes = await restoreReadHashes(aSessionId());
  expect(readHashes?.get('a.ts')).toEqual({ hash: hashOf('new'), text: null });
  expect(readHashes?.get('b.ts')).toBeUndefined();
  // One query serves all sessions of a recovery, thousands of them (F-B4).
  for (let n = 0; n < 50; n++) expect(await restoreReadHashes(aSessionId(`none${n}`))).toBeNull();
  expect(asked).toBe(1);
  await clock.advance(6000);
  await restoreReadHashes(aSessionId());
  expect(asked).toBe(2);
});
