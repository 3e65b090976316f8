import type { CallContextInput } from '@signalbox/core';
import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { anExecution, createHarness, FREE, type CoordinatorHarness } from '../testing/coordinator-harness.ts';
import { nameOfCall } from './repeat-gate.ts';

const SAME = 'The same call was made';
const MAKE = { line: 'make' };

async function say(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  {
    times,
    options = {},
  }: Readonly<{
    times: number;
    options?: {
      tool?: string;
      args?: Record<string, unknown> | string;
      context?: Partial<CallContextInput>;
    };
  }>,
) {
  const { tool = 'shell', args = MAKE, context = {} } = options;
  const notes: (string | undefined)[] = [];
  for (let n = 0; n < times; n++) {
    const { content, notes: more } = await harness.submit(coordinator, tool, args, context).result;
    const said = [...(content.startsWith('[tool_error]') ? [content] : []), ...(more ?? [])];
    notes.push(said.length === 0 ? undefined : said.join());
  }
  return notes;
}

test('the third identical call gets a note, and the fifth is refused and audited (L-41)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const notes = await say(harness, coordinator, { times: 6 });
  const note = (times: number) =>
    `${SAME} ${times} times and nothing has changed since: it is denied from call 5 on`;
  expect(notes.slice(0, 4)).toEqual([undefined, undefined, note(3), note(4)]);
  expect(notes[4]).toMatch(/^\[tool_error\]\ncategory: PolicyBlocked\nmessage: .*5 times.*\nsuggestion: /);
  expect(harness.tools.handled).toHaveLength(4);
  const records = await coordinator.list({});
  expect(
    records.map(({ result }) => result?.content.includes(SAME) === true && result.success),
  ).not.toContain(true);
  const codes = harness.auditLines().map((line) => line['error_code']);
  expect(codes).toEqual([null, null, null, null, 'repeated-call', 'repeated-call']);
});

test('a call that only reads is never counted, whether by a tool or a shell line', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  for (const [tool, args] of [
    ['shell', { line: 'git status' }],
    ['shell', { line: 'cat a.txt | grep x' }],
    ['echo', { text: 'x' }],
  ] as const) {
    expect(await say(harness, coordinator, { times: 8, options: { tool, args } })).toEqual(
      Array.from({ length: 8 }, () => undefined),
    );
  }
});

test('the same arguments in another notation are the same call; other arguments, sessions or sub-agents are not', async () => {
  expect(nameOfCall({ tool: 'a', args: '{ "y": 1, "x": 2 }' })).toBe(
    nameOfCall({ tool: 'a', args: { x: 2, y: 1 } }),
  );
  expect(nameOfCall({ tool: 'a', args: '' })).toBe(nameOfCall({ tool: 'a', args: {} }));
  expect(nameOfCall({ tool: 'a', args: '{"x"' })).not.toBe(nameOfCall({ tool: 'a', args: '{"y"' }));
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  await say(harness, coordinator, { times: 4 });
  expect(await say(harness, coordinator, { times: 1, options: { args: { line: 'make all' } } })).toEqual([
    undefined,
  ]);
  expect(
    await say(harness, coordinator, { times: 1, options: { context: { sessionId: aSessionId('other') } } }),
  ).toEqual([undefined]);
  expect(await say(harness, coordinator, { times: 1, options: { context: { callerId: 'helper' } } })).toEqual(
    [undefined],
  );
});

test('a write by any command to what a call may read resets its count', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const context = { sessionId: aSessionId('other') };
  for (let round = 0; round < 4; round++) {
    await say(harness, coordinator, { times: 2 });
    await say(harness, coordinator, { times: 1, options: { args: { line: `touch a${round}` }, context } });
  }
  expect(await say(harness, coordinator, { times: 1 })).toEqual([undefined]);
});

test('a write to what a call does not touch does not reset it', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const args = { line: 'cp a.txt b.txt' };
  await say(harness, coordinator, { times: 4, options: { args } });
  await say(harness, coordinator, { times: 1, options: { args: { line: 'touch c.txt' } } });
  expect((await say(harness, coordinator, { times: 1, options: { args } }))[0]).toContain('5 times');
  await say(harness, coordinator, { times: 1, options: { args: { line: 'touch a.txt' } } });
  expect(await say(harness, coordinator, { times: 1, options: { args } })).toEqual([undefined]);
});

test('a file named by the call and saved by a person resets its count', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const args = { line: 'cp a.txt b.txt' };
  await say(harness, coordinator, { times: 4, options: { args } });
  await harness.files.write('a.txt', 'saved in an editor\n', { expected: 'absent' });
  expect(await say(harness, coordinator, { times: 1, options: { args } })).toEqual([undefined]);
});

test('a call not made for ten minutes is counted from zero: a person may have changed a file meanwhile', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  await say(harness, coordinator, { times: 4 });
  await harness.clock.advance(600_001);
  expect(await say(harness, coordinator, { times: 1 })).toEqual([undefined]);
});

test('a call’s own changes do not reset its count: a file that it writes each time', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  let runs = 0;
  harness.setProgram(async () => {
    const before = (await harness.files.stat('out.txt')) === null ? 'absent' : await hashNow(harness);
    await harness.files.write('out.txt', `${(runs += 1)}\n`, { expected: before });
    return anExecution();
  });
  const notes = await say(harness, coordinator, { times: 5, options: { args: { line: 'date > out.txt' } } });
  expect(notes[4]).toContain('same call was made 5 times');
});

test('refused calls count too, and say so: an unknown tool, invalid arguments, a denial', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  for (const [tool, args] of [
    ['nope', '{}'],
    ['echo', '{"text":7}'],
    ['hold', '{"path":"../x"}'],
    ['shell', '{"line":"sudo reboot"}'],
  ] as const) {
    const contents = await say(harness, coordinator, { times: 3, options: { tool, args } });
    expect([tool, contents.map((content) => content?.includes(SAME))]).toEqual([tool, [false, false, true]]);
  }
});

test('the thresholds are settings, and null disables one', async () => {
  const harness = createHarness({ ...FREE, tools: { repeated_calls: { point_out: null, refuse: 2 } } });
  const [first, second] = await say(harness, await harness.start(), { times: 2 });
  expect(first).toBeUndefined();
  expect(second).toContain('[tool_error]');
  const free = createHarness({ ...FREE, tools: { repeated_calls: { point_out: 3, refuse: null } } });
  const contents = await say(free, await free.start(), { times: 8 });
  expect(contents.at(-1)).toContain('8 times and nothing has changed since: the result will be the same');
});

async function hashNow({ files }: CoordinatorHarness) {
  return (await files.readText('out.txt')).hash;
}
