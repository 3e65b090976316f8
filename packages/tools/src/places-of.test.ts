import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesOf } from './places-of.ts';

const ab = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });

test('every occurrence of a text is found, including overlapping ones', () => {
  fc.assert(
    fc.property(ab(40), ab(5, 1), (text, wanted) => {
      const all = Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
      expect(placesOf(text, wanted)).toEqual(all);
      expect(placesOf(text.split(''), wanted.split(''), { most: 2 })).toEqual(all.slice(0, 2));
    }),
  );
});

test('occurrences without overlap are those between the pieces of a split', () => {
  fc.assert(
    fc.property(ab(40), ab(5, 1), (text, wanted) => {
      const pieces = text.split(wanted);
      const ends = pieces.slice(0, -1).map((_, at) => pieces.slice(0, at + 1).join(wanted).length);
      expect(placesOf(text, wanted, { mayOverlap: false })).toEqual(ends);
    }),
  );
});
