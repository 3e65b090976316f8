import type { CallHash, CommandRecord } from '@signalbox/core';
import { expect } from 'vitest';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import type { CoordinatorHarness } from './coordinator-harness.ts';

/** Submits a call that waits for approval. */
export async function ask(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  { path = 'a' }: Readonly<{ path?: string }> = {},
): Promise<{ submitted: Submitted; record: CommandRecord; hash: CallHash }> {
  const submitted = harness.submit(coordinator, 'hold', { path });
  expect(await submitted.resting).toBe('pending');
  const record = await harness.record(submitted.commandId);
  if (record.approval === null) throw new Error('nothing asked');
  return { submitted, record, hash: record.approval.callHash };
}
