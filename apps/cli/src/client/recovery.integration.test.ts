import { expect, test } from 'vitest';
import { doors } from '../frame/doors.ts';
import type { House } from '../house.ts';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { readStartReport } from './start-report.ts';
import { fakeCoordinator } from './testing/fake-coordinator.ts';

const PROGRESS = { done: 12_000, of: 50_000 };
const SAID = 'recovering 12,000 of 50,000 commands of before; new calls queue behind them';

test('who works with a coordinator that takes up many commands of before is told, and status says it', async () => {
  const workspace = ownWorkspace();
  const state = { clients: 0, runs: 0, commands: 50_000, idleExitMs: null, ports: [], stopping: false };
  await fakeCoordinator(workspace, {
    '/api/hello': () => ({ recovering: PROGRESS }),
    '/api/coordinator': () => ({ ...state, recovering: PROGRESS }),
    '/api/runs': () => ({ runs: [] }),
  });
  const terminal = createTestTerminal(workspace);
  expect((await terminal.signalbox('attach')).talk.split(SAID)).toHaveLength(2);
  expect((await terminal.signalbox('status')).out).toContain(SAID);
});

test('a coordinator that starts says how far its recovery is, in its log and to who waits for it', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace(), {
    doors: { ...doors, openHouse: async (options) => recovering(await doors.openHouse(options)) },
  });
  expect((await signalbox('exec', '--', 'true')).talk).toContain(SAID);
  expect(readStartReport(JSON.stringify({ kind: 'recovering', progress: PROGRESS }))).toEqual(PROGRESS);
});

function recovering(house: House): House {
  const { coordinator } = house;
  const recovery = { ...coordinator.recovery, progress: () => PROGRESS };
  return { ...house, coordinator: { ...coordinator, recovery } };
}
