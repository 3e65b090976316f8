import type { CommandId, EventLog, Logger, NetworkUse, ProviderId } from '@signalbox/core';

/**
 * Publishes a command's connections as they are made. If the event log can't take one, it is lost; the command never
 * fails for it.
 */
export function createConnectionEvents(options: {
  readonly events: EventLog;
  readonly logger: Logger;
  /** Removes secrets from the target named by a command. */
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
        .catch((error: unknown) => logger.warn({ commandId, error }, 'connection not published'));
    };
}
