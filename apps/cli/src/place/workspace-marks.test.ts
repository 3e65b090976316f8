import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, type Member, type MemberId } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { leaveMark, sweepMarks } from './workspace-marks.ts';

test('the mark of a process that is just starting stays, though nobody knows it yet; an old one of nobody goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const random = createSeededRandom(1);
  const newMark = (): MemberId => {
    const id = createId('coordinator', random);
    leaveMark(folder, id);
    return id;
  };
  const [own, starting, gone, living] = [newMark(), newMark(), newMark(), newMark()];
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const id of [gone, living]) utimesSync(join(folder, 'members', id), hourAgo, hourAgo);
  sweepMarks(folder, own, [{ id: living } as Member]);
  expect(readdirSync(join(folder, 'members')).toSorted()).toEqual([own, starting, living].toSorted());
});
