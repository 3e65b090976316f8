import { expect, test } from 'vitest';
import { junitResults } from './junit.ts';

test('a failure of a test that node:test knows as still to do is none, as for its exit code (M6)', () => {
  const cases = [
    '<testcase name="adds" classname="test"/>',
    '<testcase name="splits" classname="test" failure="1 == 2"><skipped type="todo" message="true"/><failure type="testCodeFailure" message="1 == 2">[Error]</failure></testcase>',
    '<testcase name="pays" classname="test"><failure message="3 == 4">[Error]</failure></testcase>',
  ];
  expect(junitResults(`<testsuites>${cases.join('')}</testsuites>`)).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: 1,
    first: [{ name: 'pays', message: '3 == 4' }],
  });
});
