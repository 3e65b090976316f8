import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptOf, workspaceFor } from './testing/scripted-workspace.ts';
import { createTestTerminal } from './testing/test-context.ts';

const HUNGRY = `${process.execPath} -e 'const all = []; for (;;) all.push(Buffer.alloc(2e6, 1))'`;
const KILLED =
  /Killed: used (more than )?\d+ MiB of memory \(limit 96 MiB, sandbox\.resource_limits\.max_memory_mb\)/;
const NEXT = /signalbox config set sandbox\.resource_limits\.max_memory_mb \d+/;

test('a command over its memory: run, output and status say used, allowed, setting and next step (U-B2)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [{ tool: 'bash', args: { line: HUNGRY } }]));
  appendFileSync(
    join(workspace, '.signalbox/local.yaml'),
    'approval: { approval_mode: allow_all }\nsandbox: { resource_limits: { max_memory_mb: 96 } }\n',
  );
  const terminal = createTestTerminal(workspace);
  const run = await terminal.signalbox('run', 'Finish', '--until', HUNGRY);
  const [line, summary] = run.talk.split('does not pass');
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
