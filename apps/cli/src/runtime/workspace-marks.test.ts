import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, type NodeRecord, type NodeId } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { leaveMark, sweepMarks } from './workspace-marks.ts';

test('the mark of a starting process stays although no node lists it yet; old marks without a node and marks of ended processes are removed (F-W7)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const random = createSeededRandom(1);
  const newMark = (pid: number): NodeId => {
    const id = createId('coordinator', random);
    leaveMark(folder, id, { pid });
    return id;
  };
  const [own, starting, old, living] = [newMark(1), newMark(2), newMark(3), newMark(4)];
  newMark(5);
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const id of [old, living]) utimesSync(join(folder, 'members', id), hourAgo, hourAgo);
  // As an earlier version left it: an empty mark.
  writeFileSync(join(folder, 'members', starting), '');
  await sweepMarks(folder, {
    own,
    known: [{ id: living } as NodeRecord],
    hasEnded: async (identity) => JSON.stringify(identity) === '{"pid":5}',
  });
  expect(readdirSync(join(folder, 'members')).toSorted()).toEqual([own, starting, living].toSorted());
});
