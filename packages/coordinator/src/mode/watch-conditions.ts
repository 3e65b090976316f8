import type { Clock, Logger } from '@signalbox/core';
import type { ModeService } from './mode-service.ts';
import { type CheckHealth, HealthProblem } from './health-problem.ts';

const EVERY_MS = 10_000;

export type Conditions = Readonly<Partial<Record<HealthProblem, CheckHealth>>>;

/**
 * Checks every 10 s what commands need of the machine: mode DEGRADED while something is missing, and the previous mode
 * afterwards (S000-66). Returns a function that stops it.
 */
export function watchConditions(parts: {
  readonly conditions: Conditions;
  readonly modes: Pick<ModeService, 'degrade' | 'recover'>;
  readonly clock: Pick<Clock, 'timer'>;
  readonly logger: Logger;
}): () => void {
  const { conditions, modes, clock, logger } = parts;
  let isStopped = false;
  let cancelTimer = clock.timer(EVERY_MS, () => void checkAll());

  async function checkOne(trouble: HealthProblem): Promise<void> {
    const condition = conditions[trouble];
    if (condition === undefined) return;
    try {
      const reason = await condition();
      if (isStopped) return;
      await (reason === undefined ? modes.recover(trouble) : modes.degrade(reason, trouble));
    } catch (error) {
      logger.warn({ trouble, error }, 'condition not checked, or mode not changed');
    }
  }

  async function checkAll(): Promise<void> {
    for (const trouble of HealthProblem.options) await checkOne(trouble);
    if (!isStopped) cancelTimer = clock.timer(EVERY_MS, () => void checkAll());
  }

  return () => {
    isStopped = true;
    cancelTimer();
  };
}
