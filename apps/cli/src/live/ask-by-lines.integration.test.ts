import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../testing/open-test-runtime.ts';
import { createTestTerminal } from '../testing/test-context.ts';

const ASKING = { approval: { prompt_on_warning: true } } as const;

async function ask(own: TestRuntime, line: string) {
  const submitted = own.submit('openai', 'bash', { args: { line } });
  await own.event('approval_requested', ({ commandId }) => commandId === submitted.commandId);
  return submitted;
}

/** A terminal without single-key input, on which these lines are typed in sequence. */
function typing(own: TestRuntime, ...answers: readonly string[]) {
  const left = [...answers];
  const questions: string[] = [];
  const terminal = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    singleKeys: false,
    typed(question) {
      questions.push(question);
      return left.shift() ?? null;
    },
  });
  return { ...terminal, questions };
}

test('without single-key input the approval is printed as text, and a typed a runs it (S003-37)', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = await ask(own, 'touch a');
  const { signalbox, questions } = typing(own, '?', 'v', 'a');
  const { talk } = await signalbox('approve');
  expect(questions).toEqual(Array.from({ length: 3 }, () => 'Answer [a/d/m/v/r/+/?, empty: later]: '));
  expect(talk).toContain('m: edit the shell line first');
  expect(talk).toContain('Effects');
  expect((await asked.result).success).toBe(true);
});

test('a typed d denies, with a reason that the provider reads', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = await ask(own, 'touch a');
  await typing(own, 'd', 'not here').signalbox('approve');
  expect((await asked.result).content).toContain('not here');
});

test('a typed m changes the line: it is judged and shown, and runs only after a y', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = await ask(own, 'touch a');
  const { signalbox } = typing(own, 'm', 'sudo reboot', 'm', 'touch c', 'n', 'm', 'touch b', 'y');
  const { talk } = await signalbox('approve');
  expect(talk).toContain("It can't be approved");
  expect((await asked.result).success).toBe(true);
  const exist = ['a', 'b', 'c'].map((name) => existsSync(join(own.workspace, name)));
  expect(exist).toEqual([false, true, false]);
});

test('a typed r makes a rule: shown, edited, scoped, and stored only after a y', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = await ask(own, 'touch a');
  const edited = '{ id: mine, allow: { program: touch, args: [ a ] }, examples: { match: [ touch a ] } }';
  const { signalbox } = typing(
    own,
    'r',
    '{ id: x, deny: { line: touch a } }',
    'r',
    edited,
    'session',
    'n',
    'r',
    edited,
    '',
    'y',
  );
  const { talk } = await signalbox('approve');
  expect(talk).toContain('it is not an allow rule: write allow');
  expect(talk).toContain('allow: { program: touch, args: [ a ] }');
  expect((await asked.result).success).toBe(true);
  expect((await own.call('openai', 'bash', { line: 'touch a' })).success).toBe(true);
});

test('empty input decides nothing', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = await ask(own, 'touch a');
  expect((await typing(own, '').signalbox('approve')).exit).toBe(4);
  expect((await own.runtime.coordinator.status(asked.commandId))?.state).toBe('awaiting_approval');
});
