import type { EventLog } from '@signalbox/core';
import { Counter, type Registry } from 'prom-client';

/** Counts paths and ids that models may have made up; returns a function that stops. */
export function measureSuspects(
  events: Pick<EventLog, 'subscribe'>,
  { registers, provider }: { readonly registers: Registry[]; readonly provider: (id: string) => string },
): () => void {
  const suspected = new Counter({
    name: 'signalbox_hallucination_suspects_total',
    help: 'Paths and ids in calls that a model may have made up, by provider and kind',
    labelNames: ['provider', 'kind'],
    registers,
  });
  return events.subscribe((event) => {
    if (event.type !== 'hallucination_suspect') return;
    for (const { kind } of event.suspects) suspected.inc({ provider: provider(event.provider), kind });
  });
}
