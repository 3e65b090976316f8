import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

/** With a text of two million lines it would take minutes to compare each line with all old ones. */
const LINES = 2_000_000;
const PART = 'a\n'.repeat(25_000);

test.for([
  ['stands nowhere', `${PART}b\n${PART}`],
  ['stands nowhere, and is indented', ` ${PART}b\n${PART}`.replaceAll('\n', '\n ')],
])('an edit whose long old text %s returns at once', async ([, oldText]) => {
  await using own = await openTestRuntime({ files: { 'a.txt': 'a\n'.repeat(LINES) } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  const edited = await own.call('openai', 'edit_file', { path: 'a.txt', oldText, newText: 'c' });
  expect(edited.content).toContain('oldText does not occur in it');
  expect(edited.content).toContain('Line 1 matches, but line 25001 is "a", not "b"');
});
