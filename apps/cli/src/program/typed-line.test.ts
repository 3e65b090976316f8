import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteWord } from '../terminal/quote-word.ts';
import { readTypedLine } from './typed-line.ts';

const NOWHERE = { directory: undefined, server: undefined, tokenFile: undefined };

test('the text before the cursor is parsed as the program would', () => {
  expect(readTypedLine('signalbox approve ', '/home/ana')).toEqual({
    subcommand: 'approve',
    ...NOWHERE,
    before: [],
    begun: '',
    isValue: false,
  });
  expect(readTypedLine('signalbox -C ~/shop deny -m "not now" p9ze k7', '/home/ana')).toEqual({
    subcommand: 'deny',
    ...NOWHERE,
    directory: '/home/ana/shop',
    before: ['p9ze'],
    begun: 'k7',
    isValue: false,
  });
  expect(readTypedLine('signalbox cancel --server=http://127.0.0.1:4180 --all ', undefined)).toEqual({
    subcommand: 'cancel',
    ...NOWHERE,
    server: 'http://127.0.0.1:4180',
    before: [],
    begun: '',
    isValue: false,
  });
});

test('the value of a flag is not an argument', () => {
  expect(readTypedLine('signalbox deny -m ', undefined)).toMatchObject({ before: [], isValue: true });
  expect(readTypedLine('signalbox deny -m no', undefined)).toMatchObject({ begun: 'no', isValue: true });
  expect(readTypedLine('signalbox cancel --all ', undefined)).toMatchObject({ isValue: false });
});

test('any folder is found, however it is quoted', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (folder) => {
      expect(readTypedLine(`signalbox -C ${quoteWord(folder)} undo `, '/home/ana').directory).toBe(folder);
    }),
  );
});
