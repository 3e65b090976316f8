import type { NewEvent } from '@signalbox/core';
import { createManualClock, createMemoryLogger, createMemoryStore } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createWarnings, warningOfLog } from './warnings.ts';

test('a warning that cannot be stored is reported when events can be stored again (F-B3)', async () => {
  const clock = createManualClock();
  const { events } = createMemoryStore(clock);
  let isFull = true;
  const reported: NewEvent[] = [];
  const warnings = createWarnings({
    clock,
    logger: createMemoryLogger(),
    events: {
      async append(added) {
        if (isFull) throw new Error('the disk is full');
        reported.push(...added);
        return events.append(added);
      },
    },
  });
  warnings.tell(warningOfLog({ kind: 'not-written', file: 'log.jsonl', cause: new Error('no space') }));
  await clock.advance(10_000);
  expect(reported).toEqual([]);
  isFull = false;
  warnings.tell(warningOfLog({ kind: 'written', file: 'log.jsonl', dropped: 2 }));
  await clock.advance(0);
  expect(reported).toMatchObject([
    {
      type: 'warning_raised',
      code: 'log-not-written',
      message: 'Cannot write the log "log.jsonl": no space',
    },
    {
      type: 'warning_cleared',
      message: 'The log "log.jsonl" is writable again; 2 lines are missing',
    },
  ]);
  warnings.stop();
});
