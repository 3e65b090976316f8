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
import { restoreReadings } from './restore-readings.ts';

test('a session’s readings are the newest of its own files, without their texts', async () => {
  const { store } = createMemoryStore(createManualClock());
  const touch = async (label: string, text: string, sessionId = aSessionId()): Promise<void> => {
    const submittedAt = SOME_TIME + Number(label.replace(/\D/g, ''));
    const first = aCommandRecord({ id: aCommandId(label), submittedAt });
    const record = ended({ ...first, revision: 0, context: { ...first.context, sessionId } });
    const files: FileTouch[] = [{ path: 'a.ts', kind: 'read', hash: hashOf(text) }];
    if (record.result === null) throw new Error('no result');
    await store.commit({ ...record, result: { ...record.result, files } }, []);
  };
  await touch('a2', 'new');
  await touch('a1', 'old');
  await touch('a3', 'of another', aSessionId('b'));
  const readings = await restoreReadings(store, aSessionId());
  expect(readings.get('a.ts')).toEqual({ hash: hashOf('new'), text: null });
  expect(readings.get('b.ts')).toBeUndefined();
});
