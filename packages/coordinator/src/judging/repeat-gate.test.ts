import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { createStage, FREE, type Stage } from '../testing/coordinator-stage.ts';
import { mayHaveChanged, nameOfCall } from './repeat-gate.ts';

const SAME = 'You have made this same call';

async function say(
  stage: Stage,
  coordinator: Coordinator,
  times: number,
  tool = 'echo',
  args = '{"text":"x"}',
) {
  const contents: string[] = [];
  for (let n = 0; n < times; n++) {
    contents.push((await stage.submit(coordinator, tool, args).result).content);
  }
  return contents;
}

test('the third of the same calls is answered with a word, and the fifth is refused and audited', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const contents = await say(stage, coordinator, 6);
  expect(contents.slice(0, 4)).toEqual([
    'x',
    'x',
    `x\n\n${SAME} 3 times, and nothing has changed since: it is refused from time 5 on`,
    `x\n\n${SAME} 4 times, and nothing has changed since: it is refused from time 5 on`,
  ]);
  expect(contents[4]).toMatch(/^\[tool_error\]\ncategory: PolicyBlocked\nmessage: .*5 times.*\nsuggestion: /);
  expect(stage.tools.handled).toHaveLength(4);
  expect(stage.auditLines().map((line) => line['error_code'])).toEqual([
    null,
    null,
    null,
    null,
    'repeated-call',
    'repeated-call',
  ]);
});

test('the same arguments written otherwise are the same call; other ones and another session are not', async () => {
  expect(nameOfCall({ tool: 'a', args: '{ "y": 1, "x": 2 }' })).toBe(
    nameOfCall({ tool: 'a', args: { x: 2, y: 1 } }),
  );
  expect(nameOfCall({ tool: 'a', args: '' })).toBe(nameOfCall({ tool: 'a', args: {} }));
  expect(nameOfCall({ tool: 'a', args: '{"x"' })).not.toBe(nameOfCall({ tool: 'a', args: '{"y"' }));
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  await say(stage, coordinator, 4);
  expect(await say(stage, coordinator, 1, 'echo', '{"text":"y"}')).toEqual(['y']);
  const elsewhere = { sessionId: aSessionId('other') };
  expect((await stage.submit(coordinator, 'echo', { text: 'x' }, elsewhere).result).content).toBe('x');
});

test('what runs and may have changed something lets all other calls count anew, whoever ran it', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const elsewhere = { sessionId: aSessionId('other') };
  for (let round = 0; round < 4; round++) {
    await say(stage, coordinator, 2);
    const edit = stage.submit(coordinator, 'shell', { line: `touch a${round}` }, elsewhere);
    expect((await edit.result).outcome.kind).toBe('completed');
  }
  expect(await say(stage, coordinator, 1)).toEqual(['x']);
});

test('a call that was not made for ten minutes counts anew: a person may have changed a file meanwhile', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  await say(stage, coordinator, 4);
  await stage.clock.advance(600_001);
  expect(await say(stage, coordinator, 1)).toEqual(['x']);
});

test('what a call changes itself makes it no other call: a build that fails each time is refused', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const contents = await say(stage, coordinator, 5, 'shell', '{"line":"make"}');
  expect(contents[4]).toContain(`${SAME} 5 times`);
});

test('calls that are refused count too, and say so: an unknown tool, arguments that do not fit, a denial', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  for (const [tool, args] of [
    ['nope', '{}'],
    ['echo', '{"text":7}'],
    ['hold', '{"path":"../x"}'],
    ['shell', '{"line":"sudo reboot"}'],
  ] as const) {
    const contents = await say(stage, coordinator, 3, tool, args);
    expect([tool, contents.map((content) => content.includes(SAME))]).toEqual([tool, [false, false, true]]);
  }
});

test('the thresholds are settings, and none is a bound that never comes', async () => {
  const stage = createStage({ ...FREE, tools: { repeated_calls: { point_out: null, refuse: 2 } } });
  const [first, second] = await say(stage, await stage.start(), 2);
  expect(first).toBe('x');
  expect(second).toContain('[tool_error]');
  const free = createStage({ ...FREE, tools: { repeated_calls: { point_out: 3, refuse: null } } });
  const contents = await say(free, await free.start(), 8);
  expect(contents.at(-1)).toContain('8 times, and nothing has changed since: it will bring nothing new');
});

test('reading, looking and the network change nothing; writes, known or not, do', () => {
  expect(mayHaveChanged([{ kind: 'read', path: 'a', scope: 'file' }, { kind: 'network' }])).toBe(false);
  expect(mayHaveChanged([{ kind: 'resource', resource: 'git:index', access: 'read' }])).toBe(false);
  expect(mayHaveChanged([{ kind: 'resource', resource: 'git:index', access: 'write' }])).toBe(true);
  expect(mayHaveChanged([{ kind: 'write-unknown' }])).toBe(true);
});
