import { readFileSync } from 'node:fs';
import { isAtLeast, Level } from '@signalbox/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { classifyLine } from '../classify-line.ts';
import { isInOwnFolder } from './own-folders.ts';

const AT = { cwd: '/repo', workspace: '/repo', home: '/home/ana' };
const OWN = { ...AT, ownFolders: ['/tmp', '/var/tmp'] };

const Row = z.object({ line: z.string(), level: Level });
const rows = readFileSync(new URL('../../../corpus/own-folders.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => Row.parse(JSON.parse(row)));

test.each(rows.map(({ line, level }) => [line, level] as const))(
  'with a private /tmp, %j is %s, or stricter if that is not safe',
  (line, expected) => {
    const { level } = classifyLine(line, OWN);
    const fits = expected === 'safe' ? level === 'safe' : isAtLeast(level, expected);
    expect({ level, fits }).toEqual({ level, fits: true });
  },
);

test('with an unknown owner of /tmp, no line is milder than with a private /tmp', () => {
  const milder = rows.filter(
    ({ line }) => !isAtLeast(classifyLine(line, AT).level, classifyLine(line, OWN).level),
  );
  expect(milder).toEqual([]);
});

test.each([
  'npm test > /tmp/log',
  'tee /tmp/a < b',
  'rm -rf /tmp/a',
  'mkdir /tmp/a',
  'cp a.txt /var/tmp/a.txt',
  'echo > "${TMPDIR:-/tmp}/a"',
])('with an unknown owner of /tmp, %j is as dangerous as any write outside the workspace', (line) => {
  expect(classifyLine(line, AT).level).toBe('dangerous');
});

test('its writes and reads there are reported all the same, for rules and repeated approvals', () => {
  expect(classifyLine('git diff > /tmp/a; cat /tmp/a; rm -r /tmp/b', OWN).effects).toEqual([
    { kind: 'write', path: '/tmp/a', scope: 'file' },
    { kind: 'read', path: '/tmp/a', scope: 'file' },
    { kind: 'delete', path: '/tmp/b', scope: 'tree' },
  ]);
});

test.each([
  ['ln -s /repo/src /tmp/s; echo x > /tmp/s/a', 'src/a'],
  ['ln -s "$PWD/src" /tmp/s; echo x > /tmp/s/a', 'src/a'],
  ['ln -s /repo/a /repo/b /tmp; echo x > /tmp/b', 'b'],
  ['ln -s /repo/a /repo/b /tmp/d; echo x > /tmp/d/b', 'b'],
  ['mkdir /tmp/d; ln -s /repo/src /tmp/d; echo x > /tmp/d/src/a', 'src/a'],
  ['ln -s /repo/src /tmp/s; cd /tmp/s && echo x > a', 'src/a'],
  ['cd /tmp; ln -s /repo/src; echo x > src/a', 'src/a'],
])('a link of the same line is followed out of /tmp: %j', (line, path) => {
  expect(classifyLine(line, OWN).effects).toContainEqual({ kind: 'write', path, scope: 'file' });
});

test.each([
  'ln -s "$x" /tmp/l; echo x > /tmp/l/a',
  'cp -a src /tmp/c; echo x > /tmp/c/a',
  'mv l /tmp/; echo x > /tmp/l/a',
  'tar xf a.tar -C /tmp/t; echo x | tee /tmp/t/a',
  'ln -s src /tmp/l; rm -f /tmp/*/a; echo x > /tmp/l*/a',
])('a possible link, or folder of links, may be written through: %j', (line) => {
  expect(classifyLine(line, OWN).effects).toContainEqual({ kind: 'write-unknown' });
});

test('files that this line has copied there may be removed without a finding', () => {
  expect(classifyLine('cp -a src /tmp/c && diff -r src /tmp/c; rm -rf /tmp/c', OWN).level).toBe('safe');
});

test.each([
  ['/tmp', '/tmp/shop', false],
  ['/tmp/*', '/tmp/shop', false],
  ['/tmp/s*/a', '/tmp/shop', false],
  ['/tmp/shop', '/tmp/shop', false],
  ['/tmp/shop/a', '/tmp/shop', false],
  ['/tmp/shop-evil', '/tmp/shop', true],
  ['/tmp/other/*.log', '/tmp/shop', true],
  ['/tmp/ana/.ssh/id', '/repo', false],
  ['/tmp/ana', '/repo', false],
  ['/tmp', '/repo', true],
  ['/tmp/a', '/repo', true],
  ['/t*/a', '/repo', false],
  ['/tmpfile', '/repo', false],
  ['/', '/repo', false],
  ['/var/tmp/a', '/repo', true],
  ['/var/tmp/a', '/', false],
])('%s, with the workspace %s, a home in /tmp: %s', (path, workspace, isOwn) => {
  expect(isInOwnFolder(path, { ...OWN, workspace, home: '/tmp/ana' })).toBe(isOwn);
});

test("a line in a workspace below /tmp can't treat the workspace as private", () => {
  const below = { cwd: '/tmp/shop', workspace: '/tmp/shop', ownFolders: ['/tmp'] };
  expect(classifyLine('rm -rf /tmp/*', below).level).toBe('dangerous');
  expect(classifyLine('rm -rf /tmp', below).level).toBe('dangerous');
  expect(classifyLine('rm -rf /tmp/shop/src', below).level).toBe('dangerous');
  expect(classifyLine('rm -rf /tmp/log', below).level).toBe('safe');
  expect(classifyLine('echo > /tmp/shop/a', below).effects).toEqual([
    { kind: 'write', path: 'a', scope: 'file' },
  ]);
});

test('the reason why a change there is safe is given, unless there is a more serious one', () => {
  const reasonsOf = (line: string) =>
    classifyLine(line, OWN).reasons.map(({ level, text }) => `${level}: ${text}`);
  expect(reasonsOf('npm test > /tmp/log; rm /tmp/log')).toEqual([
    'safe: writes /tmp/log (exists only while the command runs)',
    'safe: deletes /tmp/log (exists only while the command runs)',
  ]);
  expect(reasonsOf('echo > /tmp/log; touch a')).toEqual([
    'warning: creates files or folders',
    'warning: writes a',
  ]);
});

test.each([
  ['cd /tmp/a; echo > f', 'warning'],
  ['cd /tmp/a && echo > f', 'safe'],
  ['cd /tmp/a || exit 1; echo > f', 'safe'],
  ['cd /tmp/a && ls || exit 1; echo > f', 'safe'],
  ['cd /tmp/a || true; echo > f', 'warning'],
  ['cd /tmp; echo > f', 'safe'],
  ['chmod 700 /tmp; cd /tmp; echo > f', 'warning'],
  ['cd /tmp/a/..; echo > f', 'warning'],
  ['! cd /tmp/a && echo > f', 'warning'],
  ['! ls && echo > /tmp/f', 'safe'],
  ['(cd /tmp/a && echo > f); echo > /tmp/b', 'safe'],
  ['cd "$x"; echo > /tmp/b', 'safe'],
  ['cd "$x"; cp -P a /tmp/b; echo > /tmp/b', 'warning'],
  ['cd "$x"; cp -P a b', 'warning'],
  ['cd "$x"; cd ../a; echo > /tmp/b', 'safe'],
  ['cd /tmp && cd .. && echo > tmp/b', 'safe'],
  ['echo > /../tmp/b', 'safe'],
] as const)(
  'a shell that may still be in the workspace is not in a private folder: %j is %s',
  (line, level) => {
    expect(classifyLine(line, OWN).level).toBe(level);
  },
);
