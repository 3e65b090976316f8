import type { CommandId, EventLog, Logger, NetworkUse, ProviderId } from '@signalbox/core';

/** Tells of a command's connections as they come; a log that can't take one loses it, never the command. */
export function createConnectionEvents(options: {
  readonly events: EventLog;
  readonly logger: Logger;
  /** Takes secrets out of what a command named as its target. */
  readonly redact: (text: string) => string;
}): (command: { readonly id: CommandId; readonly provider: ProviderId }) => (use: NetworkUse) => void {
  const { events, logger, redact } = options;

  return ({ id: commandId, provider }) =>
    ({ outcome, ...use }) => {
      const target = redact(use.target);
      const why = use.why === null ? null : redact(use.why);
      logger.info({ commandId, target, outcome, why }, 'network connection');
      events
        .append([{ type: 'network_connection', commandId, provider, target, outcome, why }])
        .catch((error: unknown) => logger.warn({ commandId, error }, 'connection not told'));
    };
}
