import type { EventLog } from '@signalbox/core';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Without a model in well under a millisecond, with one in seconds. */
const SECONDS = [0.0001, 0.0005, 0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30];

/** Counts the decisions of gates, and how long they took; returns a function that stops. */
export function measureGates(
  events: Pick<EventLog, 'subscribe'>,
  { registers, provider }: { readonly registers: Registry[]; readonly provider: (id: string) => string },
): () => void {
  const decisions = new Counter({
    name: 'signalbox_gate_decisions_total',
    help: 'Decisions of gates on calls (allow, deny, unavailable), by gate and provider; mode shadow: only recorded',
    labelNames: ['gate', 'provider', 'decision', 'mode'],
    registers,
  });
  const took = new Histogram({
    name: 'signalbox_gate_seconds',
    help: 'How long a gate took to decide',
    labelNames: ['gate'],
    buckets: SECONDS,
    registers,
  });
  return events.subscribe((event) => {
    if (event.type !== 'gate_decided') return;
    const { gate, decision, shadow, ms } = event.decision;
    const mode = shadow ? 'shadow' : 'enforce';
    decisions.inc({ gate, provider: provider(event.provider), decision, mode });
    took.observe({ gate }, ms / 1000);
  });
}
