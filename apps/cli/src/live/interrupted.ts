import type { Context } from '../runtime/contract/context.ts';

/** Settles at the first Ctrl-C or SIGTERM. */
export function interrupted({ interrupts }: Pick<Context, 'interrupts'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = interrupts.listen(() => {
      stop();
      resolve();
    });
  });
}
