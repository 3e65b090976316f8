import type { CommandId, Lease } from '@signalbox/core';
import type { ExecutionOrder } from '../dispatch/execution-order.ts';

/** A program to run, as offered by a coordinator. */
export function anOrder({ commandId, lease }: { commandId: CommandId; lease: Lease | null }): ExecutionOrder {
  return {
    request: {
      commandId,
      program: { kind: 'shell', line: 'true' },
      cwd: '.',
      env: {},
      limits: {
        timeoutMs: 1,
        memoryBytes: 1,
        cpuPercent: 1,
        processes: 1,
        fileBytes: 1,
        openFiles: 1,
      },
      network: 'off',
      workspace: 'write',
    },
    lease,
    deniedPatterns: [],
    asksBeforeCommit: false,
    needs: { sandboxed: true, transactional: true },
    setup: null,
  };
}
