import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createInbox } from './inbox.ts';
import type { NumberedNotice } from './scheduler-scripts.ts';

test('notices are received once and in order, by whichever way they arrive first', () => {
  const { inbox, heard } = openInbox();
  inbox.receiveAll({ now: 1000, notices: [notice(7), notice(8)] }, 10);
  inbox.receiveNext(notice(8));
  inbox.receivePublished('9 {"kind":"stale","commandId":"cmd_abcdefghjkmn","waitedMs":9}');
  inbox.receiveAll({ now: 1005, notices: [notice(8), notice(9), notice(10)] }, 15);
  expect(heard).toEqual(['7 at 10/1000', '8 at 10/1000', '9 at 10/1000', '10 at 15/1005']);
  expect(inbox.got()).toBe(10);
});

test('a notice that does not follow the last is not received, but requested with those before it', () => {
  const { inbox, heard, asked } = openInbox();
  inbox.receiveAll({ now: 1000, notices: [notice(7)] }, 10);
  inbox.receiveNext(notice(9));
  expect(heard).toEqual(['7 at 10/1000']);
  expect({ asked: asked(), got: inbox.got() }).toEqual({ asked: 1, got: 7 });
});

test('before the time of Redis is known, no published notice is received', () => {
  const { inbox, heard, asked } = openInbox();
  inbox.receiveNext(notice(1));
  expect({ heard, asked: asked(), got: inbox.got() }).toEqual({ heard: [], asked: 1, got: 0 });
});

function notice(number: number): NumberedNotice {
  return { number, notice: { kind: 'stale', commandId: aCommandId(`c${number}`), waitedMs: number } };
}

function openInbox() {
  const heard: string[] = [];
  let asked = 0;
  const inbox = createInbox(
    (known, { askedAt, now }) => {
      if (known.kind === 'stale') heard.push(`${known.waitedMs} at ${askedAt}/${now}`);
    },
    () => {
      asked += 1;
    },
  );
  return { inbox, heard, asked: () => asked };
}
