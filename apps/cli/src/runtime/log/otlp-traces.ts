import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { VERSION } from '../contract/version.ts';
import type { CommandSpan } from './command-spans.ts';
import { openQueueTraces } from './queue-traces.ts';
import type { Traces } from './traces.ts';

/** Exports to the endpoint in the environment, as OpenTelemetry reads it. */
export function createOtlpExporter(): SpanExporter {
  return new OTLPTraceExporter();
}

/** Sends spans in batches. Spans that the endpoint rejects are dropped: no command waits for it. */
export function createTraces(exporter: SpanExporter, service: string): Traces {
  /** Ids are set by us, so that several processes add to the trace of one command. */
  let next = { traceId: '', spanId: '' };
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': service }));
  const spanProcessors = [new BatchSpanProcessor({ exporter })];
  const provider = new TracerProvider({
    resource,
    spanProcessors,
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
  });
  const tracer = provider.getTracer(service, VERSION);

  const record = (span: CommandSpan): void => {
    next = span;
    const { traceId, parentId } = span;
    const parent =
      parentId === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId: parentId,
            traceFlags: TraceFlags.SAMPLED,
            isRemote: true,
          });
    const { name, startedAt, endedAt, failed, attributes } = span;
    const started = tracer.startSpan(name, { startTime: startedAt, attributes }, parent);
    if (failed) started.setStatus({ code: SpanStatusCode.ERROR });
    started.end(endedAt);
  };

  return {
    record(spans) {
      for (const span of spans) record(span);
    },
    activeSpan(traceId) {
      const active = trace.getSpanContext(context.active());
      return active?.traceId === traceId ? active.spanId : null;
    },
    queueTraces() {
      // Queue work without a command, such as polling, is not sampled.
      const sampler = new ParentBasedSampler({ root: new AlwaysOffSampler() });
      return openQueueTraces(new TracerProvider({ resource, spanProcessors, sampler }));
    },
    async close() {
      for (const api of [trace, context, propagation]) api.disable();
      await provider.shutdown().catch(() => undefined);
    },
  };
}
