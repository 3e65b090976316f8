import type { CommandId, CommandRecord, Event, EventLog, Json, Logger, Redactor } from '@signalbox/core';

type OfCommand = Extract<Event, { type: `command_${string}`; sessionId: unknown }>;

/**
 * Writes a log line for each call that starts, completes, fails or is blocked, with the names and fields of
 * specification 000 (S000-49…53, X-32). Returns a function that stops it.
 *
 * For a session without a trace, the session is the trace and the command the span, so the lines of one task still
 * correlate.
 */
export function logToolCalls(parts: {
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly recordOf: (id: CommandId) => CommandRecord | undefined;
  /** With several coordinators, only the one that leads the command logs it. Default: this is the only one. */
  readonly isLed?: ((id: CommandId) => boolean) | undefined;
  readonly redactor: Pick<Redactor, 'redactJson'>;
  readonly logger: Logger;
}): () => void {
  const { events, logger } = parts;
  return events.subscribe((event) => {
    if ('commandId' in event && parts.isLed?.(event.commandId) === false) return;
    if (event.type === 'command_started') {
      logger.info({ ...factsOf(event), arguments: argumentsOf(event.commandId) }, 'tool_call_started');
    }
    if (event.type === 'command_completed') {
      logger.info({ ...factsOf(event), success: true, latency_ms: event.latencyMs }, 'tool_call_completed');
    }
    if (event.type === 'command_failed') {
      const { message: error, reason, latencyMs } = event;
      logger.error({ ...factsOf(event), error, reason, latency_ms: latencyMs }, 'tool_call_failed');
    }
    if (event.type === 'command_denied') {
      logger.warn({ ...factsOf(event), reason: event.reason, rule: event.rule }, 'tool_call_blocked');
    }
    if (event.type === 'command_cancelled') {
      logger.info({ ...factsOf(event), reason: event.reason }, 'tool_call_cancelled');
    }
  });

  function factsOf({ commandId, provider, sessionId, title }: OfCommand): Readonly<Record<string, unknown>> {
    const record = parts.recordOf(commandId);
    return {
      command_id: commandId,
      provider,
      tool_name: record?.call.tool ?? title.split(' ')[0],
      trace_id: record?.context.traceId ?? sessionId,
      span_id: record?.context.spanId ?? commandId,
    };
  }

  function argumentsOf(id: CommandId): Json {
    return parts.redactor.redactJson(parts.recordOf(id)?.call.args ?? null);
  }
}
