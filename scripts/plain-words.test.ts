import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Words typical of the thirty sentences that first users could not read, and of similar ones. */
const RIDDLES = [
  'what the network sent',
  'level warning asks',
  'asks a package registry',
  'nobody asks',
  ' for a place',
  'Provider’s turn',
  'It has not begun',
  'What it writes is kept apart',
  'not bound:',
  'never here',
  'only lines',
  'decide nothing: it waits',
  'have it judged',
  'of which all that it changes',
  'the strictest that speaks',
  'Rules that speak of it',
  'nothing lifts the question',
  'which is not of the internet',
  'a cut-off end',
  'Open no door',
  'What goes on, in five lines',
  'nothing runs here',
  'needs no answer any more',
  'Let an agent of yours',
  'ask this provider for one word',
  'Only with these words',
  'What comes behind a page',
  'and nobody may be asked',
  'is worth nothing',
  'because it reached its limit',
  'were put and can not be taken back',
  'Do what can be done without',
  // One word per concept: Approve, Approved, Deny, Denied.
  ') refused this call',
  '} granted, ',
  'granted by ',
];

/** Quoted texts of one line: those shown to people, models and clients. */
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}\n]+</g;

test('no text is one of the sentences that a first user could not read (U: the 30 worst)', () => {
  const reported = sources().flatMap(
    (path) =>
      withoutComments(readFileSync(path, 'utf8'))
        .match(TEXT)
        ?.flatMap((text) =>
          RIDDLES.filter((riddle) => text.replaceAll("'", '’').includes(riddle)).map(
            (riddle) => `${path}: ${riddle}`,
          ),
        ) ?? [],
  );
  expect(reported).toEqual([]);
});

function sources(): readonly string[] {
  return ['apps', 'packages'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) =>
      readdirSync(join(folder, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|(?:^|\/)testing\//.test(path))
        .map((path) => join(folder, name, 'src', path)),
    ),
  );
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}
