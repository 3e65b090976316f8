import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Key } from '../../terminal/keyboard.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const HUNGRY = `${process.execPath} -e 'const all = []; for (;;) all.push(Buffer.alloc(2e6, 1))'`;
const KILLED =
  /Killed: used (more than )?\d+ MiB of memory \(limit 96 MiB, sandbox\.resource_limits\.max_memory_mb\)/;
const NEXT = /signalbox config set sandbox\.resource_limits\.max_memory_mb \d+/;

test('a command that exceeds its memory limit is shown with usage, limit, setting and next step by run, output and status (U-B2) (setting: sandbox.resource_limits.max_memory_mb)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [{ tool: 'bash', args: { line: HUNGRY } }]));
  const local = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  const allowing = local.replace('approval:\n', 'approval:\n  approval_mode: allow_all\n');
  await writeOwnSettings(workspace, {
    text: `${allowing}sandbox: { resource_limits: { max_memory_mb: 96 } }\n`,
  });
  const terminal = createTestTerminal(workspace);
  const run = await terminal.signalbox('run', 'Finish', '--until', HUNGRY);
  const [line, summary] = run.talk.split('\n✗ ');
  expect(line).toMatch(KILLED);
  expect(summary).toMatch(KILLED);
  expect(summary).toMatch(NEXT);
  const output = await terminal.signalbox('output', '@last');
  const status = await terminal.signalbox('status', '@last');
  const exec = await terminal.signalbox('exec', '--', HUNGRY);
  for (const text of [output.talk, status.out, exec.talk]) {
    expect(text).toMatch(KILLED);
    expect(text).toMatch(NEXT);
  }
  expect(exec.exit).toBe(137);
  expect([run, output, status, exec].map(({ talk }) => talk).join('\n')).not.toMatch(/exit[ =]-1/);
});

test('a session out of turns says so, and names the flag and the setting; --turns grants enough (U-B3)', async () => {
  const script = scriptOf('openai', [write('a.txt')], [write('b.txt')]);
  const few = await createTestTerminal(await workspaceFor(script)).signalbox('run', 'Finish', '--turns', '1');
  expect(few.talk).toContain(
    'turns=1 cost=– Stopped after 1 turn, before it had finished (run --turns N, or setting agents.tool_execution.max_iterations)',
  );
  expect(few.talk).not.toContain('max_iterations,');
  const enough = await createTestTerminal(await workspaceFor(script)).signalbox(
    'run',
    'Finish',
    '--turns',
    '3',
  );
  expect(enough.exit).toBe(0);
});

test('on a terminal a session out of turns prompts for more, and continues with them (U-B3)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')], [write('b.txt')]));
  let press: (key: Key) => void = () => undefined;
  const { exit, talk } = await createTestTerminal(workspace, {
    onAsked: (listen) => (press = listen),
    onDraw: (frame) => {
      // Keys typed too soon are ignored: one is pressed with each frame that shows it.
      if (frame.includes('10 more?')) press({ kind: 'text', text: 'y' });
    },
  }).signalbox('run', 'Finish', '--turns', '1');
  expect(talk).toContain('! openai used 1 turn and has not finished. 10 more?  [y] yes  [n] stop');
  expect(exit).toBe(0);
});

test('a critical failure asks on a terminal, and ends a run that nobody attends (S000-68)', async () => {
  const failing = { tool: 'bash', args: { line: 'exit 3' } };
  const workspace = await workspaceFor(scriptOf('openai', [failing], [write('b.txt')]));
  await writeOwnSettings(workspace, {
    text: `${readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8')}agents: { tool_execution: { critical_tools: [bash] } }\n`,
  });
  const alone = await createTestTerminal(workspace).signalbox('run', 'Finish');
  expect(alone.talk).toMatch(/Stopped, since a call failed: bash: .*exit/i);
  expect(alone.exit).not.toBe(0);
  let press: (key: Key) => void = () => undefined;
  const asked = await createTestTerminal(workspace, {
    onAsked: (listen) => (press = listen),
    onDraw: (frame) => {
      if (frame.includes('Continue?')) press({ kind: 'text', text: 'n' });
    },
  }).signalbox('run', 'Finish');
  expect(asked.talk).toMatch(/! openai stopped at bash: .*\. Continue\? {2}\[y\] yes {2}\[n\] stop/);
});
