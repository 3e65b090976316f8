import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createInterrupts } from './interrupts.ts';

test('interrupts are counted for listeners, and end the process without one', () => {
  const source = new EventEmitter();
  const left: number[] = [];
  const heard: unknown[] = [];
  const interrupts = createInterrupts(source, (code) => left.push(code));
  const unlisten = interrupts.listen((count, signal) => heard.push([count, signal]));
  source.emit('SIGINT');
  interrupts.raise();
  source.emit('SIGTERM');
  expect(heard).toEqual([
    [1, 'SIGINT'],
    [2, 'SIGINT'],
    [3, 'SIGTERM'],
  ]);
  expect(left).toEqual([]);
  unlisten();
  source.emit('SIGTERM');
  expect(left).toEqual([143]);
});
