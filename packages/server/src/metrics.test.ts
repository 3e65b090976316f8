import type { BackendCall } from '@signalbox/core';
import { createManualClock, createMemoryStore } from '@signalbox/core/testing';
import type { Coordinator } from '@signalbox/coordinator';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('Redis script durations are counted per script, failures separately', async () => {
  const listeners = new Set<(call: BackendCall) => void>();
  const metrics = createMetrics({
    ...createMemoryStore(createManualClock()),
    coordinator: {
      queue: async () => ({ waiting: [], leases: [] }),
      mode: async () => ({ mode: 'NORMAL' }),
      approvals: { pending: async () => [] },
    } as unknown as Coordinator,
    services: { providers: () => [] },
    calls: {
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    now: () => 0,
  });
  for (const listener of listeners) {
    listener({ name: 'enqueue', seconds: 0.0004, ok: true });
    listener({ name: 'enqueue', seconds: 2, ok: false });
  }
  const text = await metrics.text();
  expect(text).toContain('signalbox_redis_script_seconds_bucket{le="0.0005",script="enqueue",result="ok"} 1');
  expect(text).toContain('signalbox_redis_script_seconds_sum{script="enqueue",result="failed"} 2');
  metrics.close();
  expect(listeners.size).toBe(0);
});
