import * as fc from 'fast-check';
import { MAX_LINE_LENGTH } from '../syntax/guards.ts';
import { FAMILIES } from '../programs/table.ts';

/** Symbols, words and incomplete constructs of the language; repeated and mixed, they cost a parser the most. */
const HOSTILE_PIECES: readonly string[] = [
  '$({[`"\'\\;|&<>\n )}]=*?~#!aA0-./:,+%^@\t'.split(''),
  ['$(', '$(ls) ', '`ls`', '<(a) ', '>(a) ', '${', '${a:-', '${a/b/c}', '${!a}', '${a@P}', '$[1]'],
  ['$((', '((', '))', '$((1+2)) ', '1+', 'a?b:', '((a) ', '((a); (b));', 'a[$a]=b;', 'a[0]=b;'],
  ['{a,b}', '{a,b} ', '{1..64}', '{a,{b,', '*a ', '[a]', '+(a)', '!(a|b)', '@(', '\\a', "$'\\x41'"],
  ['>a ', '2>&1 ', '>&-', '2>&-a b;', '<a ', '<<<a ', '<<E\n', '<<E\na\nE\n', 'a<<E;', 'E\n'],
  ['#a\n', '\\\n', '\\\n#', ' \\\n', "'a' ", '"a" ', '"$(a ', "$'", '$"a"', '""', 'a=b;', 'a=(b) '],
  ['ls;', 'ls|', 'a||', 'a&&', 'a&', 'if a; then b; fi;', 'for a in b; do c; done;', 'case a in b) c;; '],
  ['while a; do ', 'done;', 'f(){ a; };', 'f() ', 'function f ', 'coproc a;', 'select ', 'time ', '! '],
  ['[[ a ]];', '[[ ! ', 'a -eq a && ', 'env ', 'xargs ', 'sudo ', 'nice ', 'bash -c ', 'eval ', 'sed '],
  ['find . -exec a {} ; ', 'cd a;', 'cd a/../b;', 'pushd a;', 'touch a;', 'rm -rf a;', 'git push;', './a;'],
  ['~/', '../', '--a=b ', '-rf ', '+a ', 'a.b.c ', '0.', ':undo:', '/', 'fork while ', 'é', '😀', '\uD800'],
].flat();

const OPENINGS: readonly string[] = ['', 'ls ', 'rm ', 'echo "', "bash -c '", 'cat <<E\n', 'a=', '[[ ', '(('];

/** Length of a line: short, the maximum, or far longer. */
const length = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2000 }) },
  { weight: 4, arbitrary: fc.constant(MAX_LINE_LENGTH) },
  { weight: 1, arbitrary: fc.integer({ min: MAX_LINE_LENGTH + 1, max: 1_000_000 }) },
);

const piece = fc.constantFrom(...HOSTILE_PIECES);

/** A few pieces, repeated. */
const repeated = fc
  .tuple(fc.constantFrom(...OPENINGS), fc.array(piece, { minLength: 1, maxLength: 4 }), length)
  .map(([opening, pieces, size]) => filled(opening, pieces.join(''), { size }));

/** Pieces in random order. */
const mixed = fc
  .tuple(fc.array(piece, { minLength: 20, maxLength: 400 }), length)
  .map(([pieces, size]) => filled('', pieces.join(''), { size }));

const BRACKETS: readonly (readonly [string, string])[] = [
  ['$(a ', ')'],
  ['"$(a ', ')"'],
  ['<(a ', ')'],
  ['${a:-', '}'],
  ['$((1+', '))'],
  ['( ', ' )'],
  ['{ ', ';}'],
  ['((a) ', ') '],
  ['@(a|', ')'],
  ['{a,', '}'],
  ['while a; do ', 'done;'],
  ['f(){ ', '; }'],
  ['if a; then ', 'fi;'],
  ['$(cat <<A\n', 'A\n)'],
];

/** Nested constructs, up to and beyond the allowed depth, and many of them. */
const nested = fc
  .tuple(fc.constantFrom(...BRACKETS), fc.integer({ min: 1, max: 40 }), piece, length)
  .map(([[open, close], depth, inner, size]) =>
    filled('ls ', `${open.repeat(depth)}${inner}${close.repeat(depth)} `, { size }),
  );

/** Variables that double, or hold long text that is read repeatedly. */
const grown = fc
  .tuple(piece, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 8000 }), piece)
  .chain(([held, doublings, size, between]) =>
    fc
      .constantFrom(
        'eval "$a";',
        'bash -c "$a";',
        'touch $a;',
        '((a+a));',
        'echo "$a$a" $a;',
        '$a b;',
        'cd $a;',
      )
      .map((use) => {
        const value = filled('', held.replaceAll("'", ''), { size });
        return filled(`a='${value}';${'a="$a$a";'.repeat(doublings)}`, use + between, {
          size: MAX_LINE_LENGTH,
        });
      }),
  );

const programs = Object.values(FAMILIES)
  .flat()
  .flatMap(({ names, verbs }) => [
    ...names,
    ...Object.keys(verbs ?? {}).map((verb) => `${names[0] ?? ''} ${verb.split(' ')[0] ?? ''}`),
  ]);

/** One long word, almost a match of an expression of the program's rule, repeated. */
const worded = fc
  .tuple(
    fc.constantFrom(...programs),
    fc.constantFrom('', '-', '--a=', '-c '),
    fc.oneof(
      piece,
      fc.constantFrom('tee ', 'system ', 's/a/b/', 'undo:', '0.', 'a,', '/* ', 'add ', 'z', 'x'),
    ),
    fc.constantFrom('', '\0', '\n', '#z', '('),
  )
  .map(([program, opening, repeat, end]) => {
    const word = filled('', repeat.replaceAll("'", '') || 'a', { size: MAX_LINE_LENGTH - 100 }) + end;
    return opening === '-c ' ? `${program} -c '${word}'` : `${program} '${opening}${word}'`;
  });

/** Lines of up to a megabyte that are written to keep a parser busy. */
export const hostileLine: fc.Arbitrary<string> = fc.oneof(repeated, mixed, nested, grown, worded);

function filled(opening: string, text: string, { size }: Readonly<{ size: number }>): string {
  return (opening + text.repeat(Math.ceil(size / Math.max(1, text.length)))).slice(0, size);
}

/** Each took 30 to 100 ms, because an expression restarted at every character. */
export const SLOW_ONCE: readonly string[] = [
  `ls '${'*'.repeat(16_000)}x'`,
  `perl -e '${'open '.repeat(3000)}'`,
  `git checkout -- '${'a'.repeat(16_000)}/*'`,
];
