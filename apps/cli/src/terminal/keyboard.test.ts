import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createKeyboard, cursorColumns, type Key, parseKeys } from './keyboard.ts';

test('characters, named keys and sequences are distinguished', () => {
  expect(parseKeys('aé\r\x7f\x1b[A\x1bOH\x1b')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'text', text: 'é' },
    { kind: 'named', name: 'enter' },
    { kind: 'named', name: 'backspace' },
    { kind: 'named', name: 'up' },
    { kind: 'named', name: 'home' },
    { kind: 'named', name: 'escape' },
  ]);
});

test('an unknown sequence is dropped whole: no letter of it counts as an answer', () => {
  expect(parseKeys('\x1b[200~\x1b[15;2~\x1b[<0;3;4m\x1b]\x02')).toEqual([]);
  expect(parseKeys('\x1ba')).toEqual([{ kind: 'named', name: 'alt' }]);
});

test('a terminal’s report is dropped to its end: no letter of it counts as an answer', () => {
  expect(parseKeys('\x1b[?2026;2$y\x1b[?1;2c')).toEqual([]);
  expect(parseKeys('\x1b]11;rgb:1a1a/dada/0000\x07\x1b]11;rgb:1a1a\x1b\\\x1bP>|xterm\x1b\\y')).toEqual([
    { kind: 'text', text: 'y' },
  ]);
});

test('keys are the same however their bytes are split, except for a lone Esc', () => {
  const keys = Buffer.from('aé😀\x1b[A\x1b[15;2~\x1b[?2026;2$y\x1b[3~\r');
  for (let cut = 0; cut <= keys.length; cut++) {
    if (keys[cut - 1] === 0x1b) continue;
    expect(pressed(keys.subarray(0, cut), keys.subarray(cut)), `${cut}`).toEqual(pressed(keys));
  }
  expect(pressed(Buffer.from('\x1b'))).toEqual([{ kind: 'named', name: 'escape' }]);
});

test('a terminal’s report is dropped however it is split, and whatever its length', () => {
  for (const told of ['\x1b]11;rgb:1a1a/dada/0000\x07', '\x1bP>|xterm y(390)\x1b\\', '\x1b_Gi=1;OK\x1b\\']) {
    const bytes = Buffer.from(`${told}n`);
    for (let cut = 3; cut <= bytes.length; cut++)
      expect(pressed(bytes.subarray(0, cut), bytes.subarray(cut)), `${cut}`).toEqual([text('n')]);
  }
  const long = Array.from({ length: 1000 }, () => Buffer.from('yyyyyyyy'));
  expect(pressed(Buffer.from('\x1b]5'), ...long, Buffer.from('\x07n'))).toEqual([text('n')]);
});

test('a control character ends a terminal’s report', () => {
  expect(pressed(Buffer.from('\x1b]5'), Buffer.from('y'), Buffer.from('\r'), Buffer.from('n'))).toEqual([
    { kind: 'named', name: 'enter' },
    text('n'),
  ]);
  expect(pressed(Buffer.from('\x1bPy'), Buffer.from('\x03'))).toEqual([{ kind: 'named', name: 'ctrl-c' }]);
  expect(pressed(Buffer.from('\x1b]y'), Buffer.from('\x1b'), Buffer.from('n'))).toEqual([
    { kind: 'named', name: 'alt' },
  ]);
});

function text(character: string): Key {
  return { kind: 'text', text: character };
}

function pressed(...chunks: readonly Buffer[]): readonly Key[] {
  const keys: Key[] = [];
  const input = Object.assign(new EventEmitter(), { resume: () => undefined, pause: () => undefined });
  const output = { write: () => undefined };
  const stop = createKeyboard({ input, output }, true).listen((key) => keys.push(key));
  for (const chunk of chunks) input.emit('data', chunk);
  stop();
  return keys;
}

test('a pasted text is one text, however it is split: none of its letters or line breaks is a key', () => {
  const bytes = Buffer.from('\x1b[200~ay\r\nd😀\x1b[31m\x03\x07\x1b[201~y');
  for (let cut = 0; cut <= bytes.length; cut++) {
    // Alone, it is the Esc key.
    if (cut === 1) continue;
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(pressed(first, second), `${cut}`).toEqual([text('ay\nd😀[31m'), text('y')]);
  }
  expect(pressed(Buffer.from('\x1b[200~\x1b[201~\x1b[200~a\x1b[201~'))).toEqual([text('a')]);
});

test('a paste without an end keeps nobody in: Ctrl-C ends it, and of a huge one the beginning counts', () => {
  expect(pressed(Buffer.from('\x1b[200~y'), Buffer.from('y'), Buffer.from('\x03'), Buffer.from('n'))).toEqual(
    [{ kind: 'named', name: 'ctrl-c' }, text('n')],
  );
  const huge = Array.from({ length: 1000 }, () => Buffer.from('yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'));
  expect(pressed(Buffer.from('\x1b[200~'), ...huge, Buffer.from('\x1b[201~n'))).toEqual([
    text('y'.repeat(20_000)),
    text('n'),
  ]);
});

test('the terminal marks pastes only as long as keys are read', () => {
  const written: string[] = [];
  const input = Object.assign(new EventEmitter(), { resume: () => undefined, pause: () => undefined });
  const stop = createKeyboard({ input, output: { write: (one: string) => written.push(one) } }, true).listen(
    () => undefined,
  );
  expect(written).toEqual(['\x1b[?2004h']);
  stop();
  expect(written).toEqual(['\x1b[?2004h', '\x1b[?2004l']);
});

test('the cursor’s position is reported, and is not a key', () => {
  expect(cursorColumns('a\x1b[12;3Rb\x1b[A')).toEqual([3]);
  expect(parseKeys('\x1b[12;3Rb')).toEqual([{ kind: 'text', text: 'b' }]);
});
