import type { ReuseSource } from '@signalbox/core';
import { duration } from './duration-text.ts';

/** `not run again: result of openai, cmd_…, which took 12 s`; empty for a command that ran itself. */
export function reuseText(source: ReuseSource | undefined): string {
  if (source === undefined) return '';
  const { provider, commandId, durationMs } = source;
  return `not run again: result of ${provider}, ${commandId}, which took ${duration(durationMs)}`;
}
