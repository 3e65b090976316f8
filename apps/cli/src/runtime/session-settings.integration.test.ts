import { expect, test } from 'vitest';
import { startRecordedModel, workspaceOf } from '../testing/recorded-model.ts';
import { createTestTerminal } from '../testing/test-context.ts';

const look = () => [{ tool: 'list_directory', args: {} }];

test('a session asks with the model and temperature of the settings, by default 0.7, and takes as many turns as they allow (S002-10, S002-34)', async () => {
  const model = await startRecordedModel([look, look, look, look]);
  const local = {
    approval: { approval_mode: 'allow_all' },
    agents: { tool_execution: { max_iterations: 2 } },
    providers: { cold: { model: 'ice', temperature: 0.1 } },
  };
  const workspace = await workspaceOf({ cold: model, plain: model }, { local });
  const { signalbox } = createTestTerminal(workspace);
  await signalbox('run', 'Look', '-p', 'cold', '--until', 'true');
  await signalbox('run', 'Look', '-p', 'plain', '--until', 'true');
  const asked = model.requests.map((request) => [request.model, request.temperature]);
  expect(asked).toEqual([
    ['ice', 0.1],
    ['ice', 0.1],
    ['recorded', 0.7],
    ['recorded', 0.7],
  ]);
});
