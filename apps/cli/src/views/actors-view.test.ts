import type { ActorTree } from '@signalbox/api';
import { NodeId } from '@signalbox/core';
import { aCommandId, aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { actorsView } from './actors-view.ts';

const at = RENDER.now - 72_000;
const node = {
  id: NodeId.parse(`wrk_${'a'.repeat(12)}`),
  pid: 4711,
  identity: {},
  version: '0.1.0',
  startedAt: at,
  labels: [],
};
const tree: ActorTree = {
  coordinator: { state: 'draining', since: at },
  mode: { mode: 'DEGRADED', since: at, by: 'signalbox', watched: false },
  approvals: { waiting: 1 },
  commands: {
    states: { awaiting_approval: 1, 'running.working': 40 },
    first: [
      { id: aCommandId('k3f9'), state: 'running.working', since: at },
      { id: aCommandId('m2qd'), state: 'awaiting_approval', since: RENDER.now - 4000 },
    ],
  },
  sessions: {
    count: 1,
    first: [{ id: aSessionId('x8p2'), provider: aProviderId('openai'), state: 'calling', since: at }],
  },
  nodes: [
    { ...node, kind: 'coordinator', host: 'desk', concurrency: 0 },
    { ...node, kind: 'worker', host: 'barn', concurrency: 3 },
  ],
  settings: {
    files: {
      state: 'refused',
      at,
      why: 'Cannot read "signalbox.yaml": no such setting "polcy" (signalbox.yaml:3:1)',
    },
    mcp_servers: null,
  },
  faults: [{ actor: 'mode-watch', why: 'gone', at }],
};

test('the actors at 80 and at 120 columns: each with its state, commands by state and with ids, and failures', () => {
  expect(screenText(actorsView(tree, RENDER))).toMatchInlineSnapshot(`
    "coordinator      draining           since 2026-11-21 12:03:21
      mode           DEGRADED           since 2026-11-21 12:03:21, by signalbox
      approvals      1 pending
      commands       1 awaiting_approval, 40 running.working
        k3f9         running.working    for 1:12
        m2qd         awaiting_approval  for 0:04.0
        and 39 more                     signalbox commands
      sessions       1
        x8p2         calling            openai, for 1:12
      nodes          2
        desk         coordinator        process 4711
        barn         worker             process 4711, 3 slots
      settings
        files        refused            at 2026-11-21 12:03:21: Cannot read
                                        "signalbox.yaml": no such setting "polcy"
                                        (signalbox.yaml:3:1)
        mcp_servers  read               at the start
    failed           mode-watch         at 2026-11-21 12:03:21: gone"
  `);
  expect(screenText(actorsView(tree, { ...RENDER, width: 120 }), 120)).toMatchInlineSnapshot(`
    "coordinator      draining           since 2026-11-21 12:03:21
      mode           DEGRADED           since 2026-11-21 12:03:21, by signalbox
      approvals      1 pending
      commands       1 awaiting_approval, 40 running.working
        k3f9         running.working    for 1:12
        m2qd         awaiting_approval  for 0:04.0
        and 39 more                     signalbox commands
      sessions       1
        x8p2         calling            openai, for 1:12
      nodes          2
        desk         coordinator        process 4711
        barn         worker             process 4711, 3 slots
      settings
        files        refused            at 2026-11-21 12:03:21: Cannot read "signalbox.yaml": no such setting "polcy"
                                        (signalbox.yaml:3:1)
        mcp_servers  read               at the start
    failed           mode-watch         at 2026-11-21 12:03:21: gone"
  `);
});
