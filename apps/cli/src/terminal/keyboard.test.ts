import { expect, test } from 'vitest';
import { cursorColumns, parseKeys } from './keyboard.ts';

test('characters, named keys and sequences are told apart', () => {
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

test('where the cursor stands is told, and is no key', () => {
  expect(cursorColumns('a\x1b[12;3Rb\x1b[A')).toEqual([3]);
  expect(parseKeys('\x1b[12;3Rb')).toEqual([{ kind: 'text', text: 'b' }]);
});
