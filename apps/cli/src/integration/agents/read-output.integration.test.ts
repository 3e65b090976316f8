import { expect, test } from 'vitest';
import { type RecordedRequest, startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

function commandIn(request: RecordedRequest): string {
  return /command (cmd_\w+)/.exec(JSON.stringify(request.messages.at(-1)))?.[1] ?? 'none';
}

test('a model whose output was cut is told how to read the rest, and reads it (D10, H4, S001-23, L-02)', async () => {
  const model = await startRecordedModel([
    () => [{ tool: 'bash', args: { line: 'seq 1 60000' } }],
    (request) => [
      { tool: 'read_output', args: { command: commandIn(request), first_line: 30_000, max_lines: 2 } },
      { tool: 'read_overflow', args: { command: commandIn(request), search: '29876' } },
    ],
  ]);
  const workspace = await workspaceOf({ local: model }, { local: FREE });
  const { talk } = await createTestTerminal(workspace).signalbox('run', 'Count', '--until', 'true');
  expect(talk).not.toContain('failed');
  const [cut] = model.answersTo(1);
  expect(cut).toMatch(
    /middle of stdout was left out; call read_output with command cmd_\w{12}, stream stdout/,
  );
  expect(cut).not.toContain('\n29876\n');
  const id = /cmd_\w+/.exec(cut ?? '')?.[0];
  expect(model.answersTo(2)).toEqual([
    `[lines 30000 to 30001, stdout of ${id}; continue with first_line 30002]\n30000\n30001`,
    `[1 line of stdout of ${id} with "29876"]\n29876: 29876`,
  ]);
  expect(model.requests[0]?.tools.map(({ function: { name } }) => name)).toContain('read_output');
});
