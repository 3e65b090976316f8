import { type Event, EventId } from '@signalbox/core';
import { aCommandRecord } from '@signalbox/core/testing';
import { aCommandView, aSnapshot } from '@signalbox/api/testing';
import { expect, test } from 'vitest';
import type { Snapshot } from '@signalbox/api';
import { createPanelStore } from './panel-store.ts';

function opened(snapshot: Partial<Snapshot> = {}) {
  const store = createPanelStore();
  store.reset(aSnapshot({ now: 5000, lastEventId: EventId.parse('1000-9'), ...snapshot }), 4000);
  return store;
}

function submitted(id: string): Event {
  const ids = { commandId: `cmd ${id}`, sessionId: 'ses_1', provider: 'openai', title: 'bash', tool: 'bash' };
  return { id, at: 1000, type: 'command_submitted', ...ids } as unknown as Event;
}

test('events collected before a snapshot do not revert it', () => {
  const store = opened();
  store.apply(['999-5', '1000-9', '1000-10', '1001-0'].map(submitted));
  expect([...(store.get().panel?.commands.keys() ?? [])]).toEqual(['cmd 1000-10', 'cmd 1001-0']);
});

test('a clock that was set while the page was open is corrected by the server’s, but not for jitter', () => {
  const store = opened();
  expect(store.get().skewMs).toBe(1000);
  store.setTime(10_000, 9400);
  expect(store.get().skewMs).toBe(1000);
  store.setTime(10_000, 10_000 + 3_600_000);
  expect(store.get().skewMs).toBe(-3_600_000);
});

test('a session’s task is known from the snapshot, and for later ones when it is reported', () => {
  const record = aCommandRecord();
  const context = { ...record.context, task: 'Release 2.4.0' };
  const store = opened({
    commands: [aCommandView({ ...record, context })],
  });
  store.setTask('ses_2', null);
  expect([...(store.get().panel?.tasks ?? [])]).toEqual([
    [context.sessionId, 'Release 2.4.0'],
    ['ses_2', null],
  ]);
});
