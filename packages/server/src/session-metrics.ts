import type { Event, EventLog } from '@signalbox/core';
import { Counter, type Registry } from 'prom-client';

/** Counts what sessions do besides their commands; returns a function that stops. */
export function measureSessions(
  events: Pick<EventLog, 'subscribe'>,
  { registers, provider }: { readonly registers: Registry[]; readonly provider: (id: string) => string },
): () => void {
  const compressed = new Counter({
    name: 'signalbox_context_compressions_total',
    help: 'Compressed conversations of sessions, by what started it (triggered, manual, autonomous) and how',
    labelNames: ['method', 'how'],
    registers,
  });
  const asked = new Counter({
    name: 'signalbox_model_requests_total',
    help: 'Single requests to models outside the turns of sessions, by purpose, provider and result',
    labelNames: ['purpose', 'provider', 'result'],
    registers,
  });
  const tokens = new Counter({
    name: 'signalbox_model_request_tokens_total',
    help: 'Tokens of these requests, in and out',
    labelNames: ['purpose', 'provider'],
    registers,
  });

  function receive(event: Event): void {
    if (event.type === 'context_compressed') compressed.inc({ method: event.method, how: event.how });
    if (event.type === 'model_request_ended') {
      const labels = { purpose: event.purpose, provider: provider(event.asked) };
      asked.inc({ ...labels, result: event.success ? 'ok' : 'failed' });
      tokens.inc(labels, event.usage.inputTokens + event.usage.outputTokens);
    }
  }

  return events.subscribe(receive);
}
