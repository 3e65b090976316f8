import { PATIENCE_WITH_PROGRESS_MS } from '@signalbox/server/mcp';
import { expect, test } from 'vitest';
import { AGENT_IDS, agentOf, CALL_MS } from './agents.ts';

test('no agent gives up a call that we still wait for: some count from its start, whatever progress they hear', () => {
  expect(CALL_MS).toBeGreaterThan(PATIENCE_WITH_PROGRESS_MS);
});

test('every agent starts Signalbox under its own name, by files of the workspace alone', () => {
  for (const id of AGENT_IDS) {
    const { files } = agentOf(id, { command: '/opt/my node', args: ['main.ts'] });
    const [first] = files;
    const written = JSON.stringify(first);
    expect(written).toContain('"/opt/my node"');
    expect(written).toContain(`"main.ts","mcp","--provider","${id}"`);
    for (const { path } of files) expect(path).toMatch(/^(?:\.?[a-z]+\/)*\.?[a-z.-]+$/);
  }
});
