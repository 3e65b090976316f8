type Log = (facts: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * One line per event: a constant message, facts as fields. Pino's loggers fit as they are.
 *
 * Logging never throws: a line that can't be written is dropped.
 */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
  child(facts: Readonly<Record<string, unknown>>): Logger;
}
