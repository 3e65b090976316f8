import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { subcommandTable } from '../commands/table/subcommand-table.ts';
import { faultOf, writtenLinesOf } from '../testing/written-lines.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** Scripts for shells, and a rule about our own program. */
const NOT_FOR_PEOPLE = /completion-script|overlay\/launcher|own-program/;
const SOURCES = globSync(['packages/*/src/**/*.ts', 'apps/cli/src/**/*.ts'], { cwd: ROOT }).filter(
  (path) => !/\.(?:test|bench)\.ts$|\/testing\//.test(path) && !NOT_FOR_PEOPLE.test(path),
);

test('every command line that the program tells people to type is valid', () => {
  const lines = SOURCES.flatMap((path) =>
    writtenLinesOf(readFileSync(join(ROOT, path), 'utf8')).map((line) => ({ ...line, path })),
  );
  // An empty result would mean that nothing was checked.
  expect(lines.filter(({ isNext }) => isNext).length).toBeGreaterThan(60);
  const faults = lines.flatMap((line) => {
    const fault = faultOf(line);
    return fault === null ? [] : [`${line.path}: signalbox ${line.argv.join(' ')}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test.for([
  ["fail({ next: ['signalbox cnfig set a b'] })", 'Cannot find subcommand "cnfig"'],
  [
    "fail({ next: ['signalbox config set approval.expiry 15m --fil user'] })",
    'Cannot understand flag "--fil"',
  ],
  ["fail({ next: ['signalbox demo needles'] })", 'too many arguments'],
  ['fail({ next: [`signalbox token creat ${x}`] })', 'there is no ACTION "creat"'],
  ["say('try signalbox runn, or wait')", 'Cannot find subcommand "runn"'],
] as const)('an invalid line is found: %s', ([source, why]) => {
  const faults = writtenLinesOf(source).map(faultOf);
  expect(faults).toEqual([expect.stringContaining(why)]);
});

test.for([
  "fail({ next: ['signalbox approve X --expect HASH   answers it', `signalbox check -- '${line}'`] })",
  "say('Nothing was written: signalbox config edit opens it')",
] as const)('a valid line is not reported: %s', (source) => {
  expect(writtenLinesOf(source).flatMap((line) => faultOf(line) ?? [])).toEqual([]);
});

test('every example of the help is valid, and every line of the pages that begins with our name', () => {
  const examples = subcommandTable.flatMap(({ examples: shown }) => shown);
  const pages = globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^(?:\$ )?(signalbox [a-z].*)$/gm)]
      .map(([, line = '']) => line)
      // Excludes the usage lines in docs/cli.md.
      .filter((line) => !/[[\]]|--? ?LINE/.test(line)),
  );
  expect(pages.length).toBeGreaterThan(60);
  const faults = [...examples, ...pages].flatMap((line) => {
    const typed = `next({ next: [${JSON.stringify(line.split(/ [|>#&]/)[0])}] })`;
    return writtenLinesOf(typed).flatMap((written) => {
      const fault = faultOf(written);
      return fault === null ? [] : [`${line}: ${fault}`];
    });
  });
  expect(faults).toEqual([]);
});
