import { expect, test } from 'vitest';
import { loadableNames } from './load-subcommand.ts';
import { helpGroups, hiddenRows, subcommandTable } from '../commands/table/subcommand-table.ts';
import { parseCommandLine } from './parse-command-line.ts';

function parsed(...argv: readonly string[]) {
  const line = parseCommandLine(argv);
  if (line.kind !== 'run') throw new Error(JSON.stringify(line));
  return { name: line.row.name, given: line.given, flags: line.flags };
}

function mistake(...argv: readonly string[]): readonly string[] {
  const line = parseCommandLine(argv);
  return line.kind === 'mistake' ? [line.message, ...line.next] : [line.kind];
}

test('global flags mean the same before and after the subcommand', () => {
  const before = parsed('-C', 'shop', '--json', '-vv', '--no-input', 'status', 'm2qd');
  const behind = parsed('status', 'm2qd', '--json', '-v', '-v', '--no-input', '-C', 'shop');
  expect(before).toEqual(behind);
  expect(before.flags).toEqual({
    directory: 'shop',
    json: true,
    quiet: false,
    verbose: 2,
    color: 'auto',
    ascii: false,
    input: false,
  });
});

test('a repeatable flag keeps all its values', () => {
  const { given } = parsed('run', 'Make it pass', '-p', 'openai', '--provider', 'deepseek=Review it');
  expect(given).toEqual({
    task: 'Make it pass',
    provider: ['openai', 'deepseek=Review it'],
  });
});

test('the text after -- is one shell line and never parsed as flags', () => {
  expect(parsed('check', '--', 'git push -f && ls').given).toEqual({ line: 'git push -f && ls' });
  expect(parsed('exec', '--timeout', '5s', '--', 'npm', 'test', '--json').given).toEqual({
    timeout: '5s',
    wait: true,
    line: 'npm test --json',
  });
  expect(parsed('check', '--', 'git', 'commit', '-m', "it's; done").given).toEqual({
    line: String.raw`git commit -m 'it'\''s; done'`,
  });
  expect(mistake('status', '--', 'ls')).toEqual([
    'Cannot run "signalbox status": it takes no shell line',
    'signalbox status --help',
  ]);
});

test('a flag known from other programs suggests ours', () => {
  expect(mistake('status', '--url', 'https://box.example')).toEqual([
    'Cannot understand flag "--url"',
    'did you mean: --server',
    'signalbox status --help',
  ]);
});

test('a flag with no- in its name switches off', () => {
  expect(parsed('exec', '--no-wait', '--', 'ls').given).toMatchObject({ wait: false });
});

test('a mistyped subcommand or flag is not run; the nearest one is suggested', () => {
  expect(mistake('statsu')).toEqual([
    'Cannot find subcommand "statsu"',
    'did you mean: signalbox status',
    'signalbox --help',
  ]);
  expect(mistake('chek', '--', 'ls')).toEqual([
    'Cannot find subcommand "chek"',
    'did you mean: signalbox check',
    'signalbox --help',
  ]);
  expect(mistake('run', '--untl', 'x')).toEqual([
    'Cannot understand flag "--untl"',
    'did you mean: --until',
    'signalbox run --help',
  ]);
  expect(mistake('qqqqqq')).toEqual(['Cannot find subcommand "qqqqqq"', 'signalbox --help']);
});

test('missing and surplus arguments are named', () => {
  expect(mistake('output')[0]).toBe('Cannot run "signalbox output": ID is missing');
  expect(mistake('output', 'a', 'b')[0]).toBe('Cannot run "signalbox output": too many arguments');
  expect(mistake('exec', 'npm', 'test', 'a b')).toEqual([
    'Cannot run "signalbox exec": too many arguments',
    "did you mean: signalbox exec -- npm test 'a b'",
    'signalbox exec --help',
  ]);
  // Whether a word is a flag's value is not known here.
  expect(mistake('exec', '--no-wait', 'npm')).not.toContainEqual(expect.stringContaining('did you'));
  expect(mistake('run', '--until')[0]).toBe('Cannot use flag "--until": its value is missing');
  expect(mistake('status', '--color', 'blue')[0]).toBe(
    'Cannot use flag "--color": it must be one of auto, always, never',
  );
});

test('help works wherever it is requested', () => {
  expect(parseCommandLine(['--help'])).toEqual({ kind: 'help', row: null });
  const ofRun = parseCommandLine(['run', '--help']);
  expect(ofRun).toMatchObject({ kind: 'help', row: { name: 'run' } });
  expect(parseCommandLine(['help', 'run', '-h'])).toEqual(ofRun);
  expect(parseCommandLine(['exec', '--', 'ls', '--help'])).toMatchObject({ kind: 'run' });
});

test('signalbox alone is neither a mistake nor the help', () => {
  expect(parseCommandLine([]).kind).toBe('bare');
  expect(parseCommandLine(['-C', 'shop'])).toMatchObject({ kind: 'bare', flags: { directory: 'shop' } });
});

test('every subcommand of the table can be run, and is in the help once', () => {
  const names = subcommandTable.map(({ name }) => name);
  const hidden = hiddenRows.map(({ name }) => name);
  expect([...names, ...hidden].toSorted()).toEqual([...loadableNames].toSorted());
  expect([...names].toSorted()).toEqual(helpGroups.flatMap(([, lines]) => lines.flat()).toSorted());
});
