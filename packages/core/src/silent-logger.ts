import type { Logger } from './ports/logger.ts';

const nothing = (): void => undefined;

/** Drops every line. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLogger,
};
