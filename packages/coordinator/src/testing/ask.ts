import type { CallHash, CommandRecord } from '@signalbox/core';
import { expect } from 'vitest';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import type { Stage } from './coordinator-stage.ts';

/** A call that waits for a person. */
export async function ask(
  stage: Stage,
  coordinator: Coordinator,
  path = 'a',
): Promise<{ submitted: Submitted; record: CommandRecord; hash: CallHash }> {
  const submitted = stage.submit(coordinator, 'hold', { path });
  expect(await submitted.resting).toBe('pending');
  const record = await stage.record(submitted.commandId);
  if (record.approval === null) throw new Error('nothing asked');
  return { submitted, record, hash: record.approval.callHash };
}
