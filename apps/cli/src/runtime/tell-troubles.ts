import type { Runtime } from './contract/runtime.ts';
import { as, line } from '../terminal/line.ts';
import type { Context } from './contract/context.ts';

/** Reports inconsistencies of the audit log and the records on standard error, and what to do. */
export function tellTroubles(runtime: Pick<Runtime, 'coordinator'>, context: Pick<Context, 'tell'>): void {
  for (const { message, next } of runtime.coordinator.troubles)
    context.tell([
      line(as('warn', 'warning '), message),
      ...next.map((step) => line('  ', as('accent', step))),
    ]);
}
