import {
  FencingToken,
  type Lease,
  pathResource,
  readClaim,
  treeResource,
  WORKSPACE,
  writeClaim,
} from '@signalbox/core';
import { aCommandId, aLeaseId, aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { aStoryCommand } from '../testing/records.ts';
import { RENDER, screenText } from '../testing/screen-text.ts';
import { leasesView } from './leases-view.ts';
import { waitGraphOf, waitTree } from './wait-tree.ts';

const commands = [
  aStoryCommand('m2qd', 'anthropic', { title: 'run_tests', overrides: { secondsAgo: 4.2 } }),
  aStoryCommand('v3hs', 'local', { title: 'bash npx tsc', overrides: { secondsAgo: 6 } }),
];
const lease = (
  label: string,
  provider: string,
  { fencingToken }: Readonly<{ fencingToken: number }>,
): Lease => ({
  leaseId: aLeaseId(label),
  commandId: aCommandId(label),
  provider: aProviderId(provider),
  claims: [readClaim(WORKSPACE)],
  fencingToken: FencingToken.parse(fencingToken),
  grantedAt: RENDER.now,
  expiresAt: RENDER.now + 30_000,
});
const waits = (
  label: string,
  provider: string,
  { path, seconds, blockers }: Readonly<{ path: string; seconds: number; blockers: readonly string[] }>,
) => ({
  commandId: aCommandId(label),
  provider: aProviderId(provider),
  claims: [writeClaim(path.includes('.') ? pathResource(path) : treeResource(path))],
  priority: 100,
  since: RENDER.now - seconds * 1000,
  blockers: blockers.map(aCommandId),
});
const data = {
  snapshot: {
    leases: [
      lease('m2qd', 'anthropic', { fencingToken: 4182 }),
      lease('v3hs', 'local', { fencingToken: 4179 }),
    ],
    waiting: [
      waits('k7f3', 'openai', { path: 'src/cart.ts', seconds: 3.1, blockers: ['m2qd', 'v3hs'] }),
      waits('w5ja', 'claude-code', { path: 'src', seconds: 71, blockers: ['m2qd', 'v3hs', 'k7f3'] }),
      waits('x9zz', 'deepseek', { path: 'docs', seconds: 1, blockers: [] }),
    ],
  },
  commands: new Map(commands.map((record) => [record.id, record])),
};

test('leases show holder, start, fencing token and waiting commands', () => {
  expect(screenText(leasesView(data, { ...RENDER, width: 100 }), 100)).toMatchInlineSnapshot(`
    "ID    PROVIDER   HOLDS           HELD    FENCING TOKEN  WAITING
    m2qd  anthropic  read workspace  0:04.2           4182  k7f3 openai, w5ja claude-code
    v3hs  local      read workspace  0:06.0           4179  k7f3 openai, w5ja claude-code
    2 running · 3 waiting · signalbox leases --tree"
  `);
  const none = { snapshot: { leases: [], waiting: [] }, commands: new Map() };
  expect(screenText(leasesView(none, RENDER))).toContain('No leases held');
});

test('the tree draws each command below the last of its blockers', () => {
  expect(screenText(waitTree(waitGraphOf(data.snapshot, data.commands), RENDER))).toMatchInlineSnapshot(`
    "m2qd anthropic       read workspace                                       0:04.2
    v3hs local           read workspace                                       0:06.0
    └ k7f3 openai          write path:src/cart.ts  also behind m2qd           0:03.1
      └ w5ja claude-code     write tree:src  also behind m2qd, v3hs             1:11
    waiting for a free slot
    └ x9zz deepseek        write tree:docs                                    0:01.0"
  `);
});
