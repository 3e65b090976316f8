import { parseSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { AGENT_IDS, agentOf, CALL_MS } from './agents.ts';

test('no agent gives up a call that Signalbox still waits for: some agents count from its start, whatever progress they get', () => {
  expect(parseSettings({ mcp: { max_wait: CALL_MS } })).toMatchObject({
    kind: 'invalid',
    problems: [{ path: ['mcp', 'max_wait'] }],
  });
});

test('every agent starts Signalbox under its own name, with files of the workspace only', () => {
  for (const id of AGENT_IDS) {
    const { files } = agentOf(id, { kind: 'stdio', command: '/opt/my node', args: ['main.ts'] });
    const [first] = files;
    const written = JSON.stringify(first);
    expect(written).toContain('"/opt/my node"');
    expect(written).toContain(`"main.ts","mcp","--provider","${id}"`);
    for (const { path } of files) expect(path).toMatch(/^(?:\.?[a-z]+\/)*\.?[a-z.-]+$/);
  }
});
