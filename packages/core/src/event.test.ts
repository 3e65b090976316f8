import { expect, test } from 'vitest';
import { EventId, EXECUTION_TOPIC, NewEvent } from './event.ts';
import { anOutputEvent, aSubmittedEvent } from './testing/builders.ts';

test('the live events have the topic and the names of specification 003 (S003-47…S003-52, X-32)', () => {
  const names = NewEvent.options.map((option) => option.shape.type.value);
  expect(EXECUTION_TOPIC).toBe('tools:execution');
  expect(names).toEqual(
    expect.arrayContaining([
      'command_submitted',
      'command_started',
      'command_output',
      'command_completed',
      'command_failed',
    ]),
  );
  expect(names).toEqual(expect.arrayContaining(['tool_call_start', 'tool_call_result']));
  expect(new Set(names).size).toBe(names.length);
});

test('an event is discriminated by its type, and has all its fields and no others', () => {
  expect(NewEvent.parse(anOutputEvent())).toEqual(anOutputEvent());
  expect(NewEvent.safeParse({ ...aSubmittedEvent(), stream: 'stdout' }).success).toBe(false);
  const { tool: _tool, ...withoutTool } = { tool: '', ...aSubmittedEvent() };
  expect(NewEvent.safeParse(withoutTool).success).toBe(false);
  expect(NewEvent.safeParse({ ...aSubmittedEvent(), type: 'command_exploded' }).success).toBe(false);
});

test('an event id is milliseconds and a number', () => {
  expect(['1767225600000-0', '0-12'].every((id) => EventId.safeParse(id).success)).toBe(true);
  expect(['', '1', '1-', '-1', 'a-1', '1-2-3', ' 1-2'].some((id) => EventId.safeParse(id).success)).toBe(
    false,
  );
});
