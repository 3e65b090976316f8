import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FILTERS = `filters:
  define:
    release: { match: { prefix: make release }, strip: ['^copying '], summary: '^released' }
`;
const LOG = `${'copying dist/index.js\n'.repeat(3)}${Array.from({ length: 60 }, (_, at) => `copying dist/part-${at}.js\n`).join('')}copying failed: disk full\nreleased 1.2.0\n`;

test('filter test shows what a model would read, and what was left out (S001-49, M4)', async () => {
  const workspace = ownWorkspace({ 'signalbox.yaml': FILTERS, 'build.log': LOG });
  const terminal = createTestTerminal(workspace);
  const tried = await terminal.signalbox('filter', 'test', 'build.log', '--line', 'cd app && make release');
  expect(tried).toMatchObject({ exit: 0, out: 'copying failed: disk full\nreleased 1.2.0\n' });
  expect(tried.talk).toMatch(
    /For a model: 63 of 65 lines left out \(release, full confidence\), about \d+ tokens saved/,
  );
  const other = await terminal.signalbox('filter', 'test', 'build.log', '--json');
  expect(JSON.parse(other.out)).toMatchObject({
    filtered: { filter: 'plain', confidence: 'full', lines: 65 },
  });
});

test('filter test reads standard input, and says when nothing is left out', async () => {
  const workspace = ownWorkspace();
  const tried = await createTestTerminal(workspace, { stdin: 'hello\n' }).signalbox('filter', 'test', '-');
  expect(tried).toMatchObject({ exit: 0, out: 'hello\n' });
  expect(tried.talk).toContain('Nothing left out');
});

test('a file that is not there, a wrong pattern and an unknown filter are refused with the place', async () => {
  const workspace = ownWorkspace();
  const terminal = createTestTerminal(workspace);
  expect(await terminal.signalbox('filter', 'test', 'none.log')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('Cannot read none.log'),
  });
  const settings = join(workspace, 'signalbox.yaml');
  writeFileSync(settings, "filters: { define: { a: { match: { prefix: make }, strip: ['('] } } }\n");
  const wrong = await terminal.signalbox('filter', 'test', '-');
  expect(wrong.exit).toBe(2);
  expect(wrong.talk).toContain('filters.define.a.strip[0] is not a valid pattern: missing closing )');
  writeFileSync(settings, 'filters: { off: [vitests] }\n');
  expect((await terminal.signalbox('filter', 'test', '-')).talk).toContain('names no filter: "vitests"');
});
