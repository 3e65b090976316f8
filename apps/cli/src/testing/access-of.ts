import { InvariantError } from '@signalbox/core';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { readRecord } from '../runtime/server/coordinator-record.ts';

/** How the owner reaches the running coordinator of a workspace. */
export function accessOf(workspace: string): LocalAccess {
  const record = readRecord(workspace);
  if (record === null) throw new InvariantError('no coordinator runs');
  const { socket, pid } = record;
  return { url: 'http://localhost', token: '', pid, socket };
}
