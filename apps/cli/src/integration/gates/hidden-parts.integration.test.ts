import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { FREE, openJudged, startJudge } from './judge-server.ts';

const KEY = '-----BEGIN PRIVATE KEY-----';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const LONG = `# ${'x'.repeat(1100)}`;

/** Lines of which a redactor hides more than a secret. */
const HIDING: readonly (readonly [string, string])[] = [
  ['behind the mark of a private key', `: '${KEY}'; touch hidden.txt`],
  ['in the body of a private key', `: ${KEY}\ntouch hidden.txt\n: -----END PRIVATE KEY-----`],
  ['in a quoted field', 'token="a1234567$(touch${IFS}hidden.txt)"; :'],
  ['in the password of an address', ': "http://u:x$(touch${IFS}hidden.txt)@h/"'],
  ['in a connection string', ': ";password=abcd$(touch${IFS}hidden.txt)"'],
  ['in an escape sequence of a line with a secret', `: ${TOKEN} \u001B]; touch hidden.txt; : \u0007`],
  ['in an escape sequence of a long line', `: \u001B]; touch hidden.txt; : \u0007 ${LONG}`],
];

test.each(HIDING)(
  'a line of a model that hides a command %s is refused: no approver could see it',
  async (_, line) => {
    await using own = await openTestRuntime({ settings: FREE });
    const refused = await own.call('openai', 'bash', { line });
    expect(refused.failure).toMatchObject({ code: 'hidden-part', category: 'InvalidParameters' });
    expect(refused.failure?.message).toContain('looks like a secret');
    expect(() => own.read('hidden.txt')).toThrow('ENOENT');
  },
);

test.each([
  ['a token', `echo ${TOKEN}`],
  ['an option', 'echo --token s3cretValue --verbose'],
  ['a password in an address', 'echo https://ana:p4ss!word@example.com/x'],
  ['an emoji in a long line', `echo '⚠️ ${'x'.repeat(1200)}'`],
])('a line with %s runs', async (_, line) => {
  await using own = await openTestRuntime({ settings: FREE });
  expect((await own.call('openai', 'bash', { line })).outcome).toMatchObject({ kind: 'completed' });
});

test.each([
  ['content', { path: 'a.sh', content: `: '${KEY}'; git push\n` }],
  ['content with an escape sequence', { path: 'a.sh', content: `: ${TOKEN} \u001B]; git push; : \u0007\n` }],
])('a file whose %s is kept from the judge is not written', async (_, args) => {
  const judge = await startJudge((text) => (text.includes('push') ? 'DENY 1' : 'ALLOW'));
  await using own = await openJudged(judge, { fail_open: true });
  const refused = await own.call('openai', 'write_file', args);
  expect(refused.failure).toMatchObject({ code: 'judge_hidden', category: 'InvalidParameters' });
  expect(judge.requests).toHaveLength(0);
  expect(() => own.read('a.sh')).toThrow('ENOENT');
});
