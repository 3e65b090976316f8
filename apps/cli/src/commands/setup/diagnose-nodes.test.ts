import { createId, defaultSettings, parseSettings, type SeenNode } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { diagnoseNodes, wantedLabels } from './diagnose-nodes.ts';

const random = createSeededRandom(5);

function seen(kind: 'coordinator' | 'worker', more: Partial<SeenNode & SeenNode['member']> = {}): SeenNode {
  const { isAlive = true, seenMsAgo = 2000, labels = [], version = '1', host = 'here' } = more;
  const id = createId(kind, random);
  const concurrency = kind === 'worker' ? 3 : 0;
  const of = { pid: 7, identity: {}, startedAt: 0, concurrency };
  return { member: { id, kind, host, version, labels, ...of }, isAlive, seenMsAgo };
}

function diagnosed(members: readonly SeenNode[], wanted: readonly string[] = []) {
  const marks = new Set<string>(members.map(({ member }) => member.id));
  return diagnoseNodes(members, { marks, version: '1', wanted: [{ of: 'bash', labels: wanted }] });
}

test('a healthy node is shown with its place, its labels and when it was seen', () => {
  const [coordinator, worker] = [
    seen('coordinator'),
    seen('worker', { labels: ['gpu', 'linux'], host: 'far' }),
  ];
  expect(diagnosed([coordinator, worker], ['linux'])).toEqual([
    {
      id: 'coordinator',
      ok: true,
      stops: false,
      why: `${coordinator.member.id} on here, process 7, seen 0:02 ago`,
    },
    {
      id: 'worker',
      ok: true,
      stops: false,
      why: `${worker.member.id} on far, process 7, 3 at once, gpu, linux, seen 0:02 ago`,
    },
  ]);
});

test.each([
  ['is dead', { isAlive: false }, 'signalbox worker   on here, for another one'],
  ['no heartbeat for some time', { seenMsAgo: 20_000 }, 'check process 7 on here'],
  ['it runs Signalbox 2, this is 1', { version: '2' }, 'run the same version everywhere'],
])('a worker is reported with the reason and what to do: %s', (why, more, fix) => {
  const [check] = diagnosed([seen('worker', more)]);
  expect(check).toMatchObject({ ok: false, why: expect.stringContaining(why) as string });
  expect(check?.fix).toContain(fix);
});

test('a node without a mark in this tree works in another one', () => {
  const [check] = diagnoseNodes([seen('worker')], { marks: new Set(), version: '1', wanted: [] });
  expect(check).toMatchObject({ ok: false, why: expect.stringContaining('another tree') as string });
});

test('labels that no live worker has together are reported, with a worker command that would', () => {
  const members = [
    seen('worker', { labels: ['gpu'] }),
    seen('worker', { labels: ['linux'] }),
    seen('worker', { labels: ['gpu', 'linux'], isAlive: false }),
  ];
  const settings = parseSettings({ tools: { bash: { sandbox: { labels: ['gpu', 'linux'] } } } });
  const wanted = settings.kind === 'ok' ? wantedLabels(settings.settings) : [];
  expect(wanted).toEqual([{ of: 'bash', labels: ['gpu', 'linux'] }]);
  expect(diagnosed(members, wanted[0]?.labels).at(-1)).toEqual({
    id: 'worker',
    ok: false,
    stops: false,
    why: 'no worker offers gpu linux, which the settings of bash require: its commands fail',
    fix: 'signalbox worker --labels gpu,linux',
  });
  expect(wantedLabels(defaultSettings())).toEqual([]);
});
