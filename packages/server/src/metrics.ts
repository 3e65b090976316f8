import {
  type BackendCalls,
  type CommandStore,
  type Event,
  type EventLog,
  type FilterUse,
  type LastKnown,
  type ProviderId,
  savedByCall,
  savedBySession,
  type Savings,
  type Tool,
} from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RuntimeServices } from './server-options.ts';
import { measureGates } from './gate-metrics.ts';
import { measureSessions } from './session-metrics.ts';
import { measureSuspects } from './suspect-metrics.ts';

/** Bounds the label values, whatever clients send: each value is a series that is kept for ever. */
type MetricLabels = {
  tool(name: string): string;
  provider(id: string): string;
};
/** Agents that `connect` knows, a person's own lines, and the agent of `mcp` without a name. */
const KNOWN: ReadonlySet<string> = new Set(
  'you agent claude-code codex gemini opencode cursor vscode'.split(' '),
);
const OTHER = 'other';

/** Prometheus metrics: what ended since the start, and the current state. */
export type Metrics = {
  readonly contentType: string;
  text(): Promise<string>;
  close(): void;
};

const CALL_SECONDS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

export function createMetrics({
  events,
  coordinator,
  store,
  calls,
  lastKnown,
  services,
  now,
}: {
  readonly events: EventLog;
  readonly coordinator: Pick<Coordinator, 'queue' | 'mode' | 'approvals' | 'tools'>;
  readonly services: Pick<RuntimeServices, 'providers'>;
  readonly store: Pick<CommandStore, 'countUnfinished' | 'totals'>;
  /** For a backend on another machine. */
  readonly calls?: BackendCalls;
  readonly lastKnown?: Pick<LastKnown, 'away'> | null;
  readonly now: () => number;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const labels = createMetricLabels({
    tool: (name) => coordinator.tools.get(name),
    providers: services.providers,
  });
  const ended = new Counter({
    name: 'signalbox_commands_total',
    help: 'Finished commands, by provider, tool and outcome',
    labelNames: ['provider', 'tool', 'outcome'],
    registers,
  });
  const ran = new Histogram({
    name: 'signalbox_command_duration_seconds',
    help: 'Time that commands ran, without waiting',
    labelNames: ['tool'],
    buckets: SECONDS,
    registers,
  });
  const waited = new Histogram({
    name: 'signalbox_queue_wait_seconds',
    help: 'Time that commands waited in the queue before they ran',
    buckets: SECONDS,
    registers,
  });
  const reused = new Counter({
    name: 'signalbox_reused_results_total',
    help: 'Commands answered by the result of an earlier command, by provider and tool',
    labelNames: ['provider', 'tool'],
    registers,
  });
  const saved = new Counter({
    name: 'signalbox_reused_seconds_total',
    help: 'Time that the runs took that were not repeated, by tool',
    labelNames: ['tool'],
    registers,
  });
  const spared = new Counter({
    name: 'signalbox_saved_tokens_total',
    help: 'Estimated tokens that models did not have to read, by provider and by what saved them (filters: of outputs, offers: the tool filter, compressions)',
    labelNames: ['provider', 'by'],
    registers,
  });
  const complex = new Counter({
    name: 'signalbox_complex_calls_total',
    help: 'Calls of tools with a complex schema, by whether the model thought first and whether its arguments were valid',
    labelNames: ['thought', 'arguments'],
    registers,
  });
  const filtered = new Counter({
    name: 'signalbox_filtered_outputs_total',
    help: 'Outputs that a filter shortened for a model, or failed on (confidence fallback)',
    labelNames: ['filter', 'confidence'],
    registers,
  });
  const filteredTokens = new Counter({
    name: 'signalbox_filtered_tokens_total',
    help: 'Estimated tokens of these outputs that models read (kept), and that were left out (saved)',
    labelNames: ['filter', 'what'],
    registers,
  });
  gauge('signalbox_queue_waiting', 'Commands waiting in the queue', async () => {
    const counts = await store.countUnfinished();
    return counts.reduce((sum, { state, commands }) => sum + (state === 'queued' ? commands : 0), 0);
  });
  gauge('signalbox_queue_oldest_seconds', 'Waiting time of the first command in the queue', async () => {
    const [first] = (await coordinator.queue(1)).waiting;
    return first === undefined ? 0 : Math.max(0, now() - first.since) / 1000;
  });
  gauge('signalbox_leases', 'Leases held', async () => {
    const { leases } = await coordinator.queue(1);
    return leases.length;
  });
  gauge('signalbox_approvals_pending', 'Pending approvals', async () => {
    const pending = await coordinator.approvals.pending();
    return pending.length;
  });
  if (lastKnown != null)
    gauge('signalbox_backend_away', '1 while the backend is unreachable', async () =>
      lastKnown.away() === null ? 0 : 1,
    );
  registry.registerMetric(
    new Gauge({
      name: 'signalbox_mode',
      help: '1 for the current operational mode',
      labelNames: ['mode'],
      registers: [],
      async collect() {
        const { mode } = await coordinator.mode();
        this.reset();
        this.set({ mode }, 1);
      },
    }),
  );

  registry.registerMetric(
    new Gauge({
      name: 'signalbox_history_commands',
      help: 'All finished commands, including those no longer in the history, by provider, tool and outcome',
      labelNames: ['provider', 'tool', 'outcome'],
      registers: [],
      async collect() {
        this.reset();
        // Stored totals are left out while the backend is away.
        const totals = lastKnown?.away() == null ? await store.totals() : [];
        // Several names may have one label.
        for (const { provider, tool, outcome, commands } of totals)
          this.inc({ provider: labels.provider(provider), tool: labels.tool(tool), outcome }, commands);
      },
    }),
  );

  function gauge(name: string, help: string, value: () => Promise<number>): void {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await value());
        },
      }),
    );
  }

  function receive(event: Event): void {
    if (event.type === 'command_started') waited.observe(event.waitedMs / 1000);
    // Calls are counted by their own ends, which agents have too.
    if (event.type === 'turn_ended' || event.type === 'context_compressed')
      countTokens(event.provider, savedBySession(event));
    if ('thought' in event && event.thought !== undefined) {
      const isInvalid = event.type === 'command_failed' && event.reason === 'invalid-arguments';
      complex.inc({ thought: String(event.thought), arguments: isInvalid ? 'invalid' : 'valid' });
    }
    const outcome = outcomeOf(event);
    if (outcome === null || !('tool' in event) || !('durationMs' in event)) return;
    const tool = labels.tool(event.tool);
    const provider = labels.provider(event.provider);
    ended.inc({ provider, tool, outcome });
    if (event.type !== 'command_denied') {
      if (event.filtered !== undefined) countFiltered(event.filtered);
      const ofCall = savedByCall(event);
      countTokens(event.provider, ofCall);
      if (ofCall.calls > 0) {
        reused.inc({ provider, tool }, ofCall.calls);
        saved.inc({ tool }, ofCall.ms / 1000);
        return;
      }
    }
    if (event.durationMs > 0) ran.observe({ tool }, event.durationMs / 1000);
  }

  function countTokens(id: ProviderId, { tokens }: Savings): void {
    for (const [by, count] of Object.entries(tokens))
      if (count > 0) spared.inc({ provider: labels.provider(id), by }, count);
  }

  function countFiltered({ filter, confidence, keptTokens, savedTokens }: FilterUse): void {
    filtered.inc({ filter, confidence });
    filteredTokens.inc({ filter, what: 'kept' }, keptTokens);
    filteredTokens.inc({ filter, what: 'saved' }, savedTokens);
  }

  const closing = [
    events.subscribe(receive),
    measureSessions(events, { registers, provider: labels.provider }),
    measureGates(events, { registers, provider: labels.provider }),
    measureSuspects(events, { registers, provider: labels.provider }),
    ...(calls === undefined ? [] : [measureCalls(calls, registers)]),
  ];
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      for (const close of closing) close();
    },
  };
}

/** Duration of Redis calls, network round trip included. */
function measureCalls(calls: BackendCalls, registers: Registry[]): () => void {
  const took = new Histogram({
    name: 'signalbox_redis_script_seconds',
    help: 'Round-trip time of a Redis script',
    labelNames: ['script', 'result'],
    buckets: CALL_SECONDS,
    registers,
  });
  return calls.listen(({ name, seconds, ok }) => {
    took.observe({ script: name, result: ok ? 'ok' : 'failed' }, seconds);
  });
}

function outcomeOf(event: Event): string | null {
  if (event.type === 'command_completed') return 'completed';
  if (event.type === 'command_cancelled') return 'cancelled';
  return event.type === 'command_failed' || event.type === 'command_denied' ? event.outcome : null;
}

/** Unknown names, which agents choose themselves, share the label `other`. */
function createMetricLabels(known: {
  /** Tools registered now. */
  readonly tool: (name: string) => Pick<Tool, 'name'> | undefined;
  /** Providers of the settings. */
  readonly providers: () => readonly { readonly id: ProviderId }[];
}): MetricLabels {
  return {
    tool: (name) => known.tool(name)?.name ?? OTHER,
    provider: (id) => (KNOWN.has(id) || known.providers().some((one) => one.id === id) ? id : OTHER),
  };
}
