import { type ExecutionLimits, UsageError } from '@signalbox/core';

/** Longest delay of a Node.js timer; a longer one fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Refuses limits that would limit nothing, or end a command at once.
 *
 * @throws {UsageError} `invalid-arguments` for a negative limit, one that is not a number, and a timeout over 24 days
 */
export function checkLimits(limits: ExecutionLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    const isLimit = value >= 0 && (name !== 'timeoutMs' || value <= MAX_TIMEOUT_MS);
    if (isLimit) continue;
    const bound = name === 'timeoutMs' ? `a number from 0 to ${MAX_TIMEOUT_MS}` : 'a number from 0';
    throw new UsageError(
      'invalid-arguments',
      `Cannot run the command with ${name} ${value}: it must be ${bound}`,
    );
  }
}
