import { describe, expect, test } from 'vitest';
import type { Logger } from '../../ports/logger.ts';
import type { LogLine } from '../memory/memory-logger.ts';

/** A logger at its most verbose level, and its lines so far. */
export type LoggerHarness = { readonly logger: Logger; lines(): readonly LogLine[] };

/** The contract of every `Logger`. */
export function loggerContract(name: string, start: () => LoggerHarness): void {
  describe(`${name} keeps the logger's contract:`, () => {
    test('every level writes one line with its facts', () => {
      const { logger, lines } = start();
      logger.debug({ step: 1 }, 'looked');
      logger.info({ step: 2 }, 'started');
      logger.warn({ step: 3 }, 'waited');
      logger.error({ step: 4 }, 'failed');
      expect(lines()).toEqual([
        { level: 'debug', facts: { step: 1 }, message: 'looked' },
        { level: 'info', facts: { step: 2 }, message: 'started' },
        { level: 'warn', facts: { step: 3 }, message: 'waited' },
        { level: 'error', facts: { step: 4 }, message: 'failed' },
      ]);
    });

    test('a child adds its facts to those of its parents, and the parent does not get them', () => {
      const { logger, lines } = start();
      const child = logger.child({ commandId: 'a' }).child({ attempt: 1 });
      child.info({ outcome: 'completed' }, 'command ended');
      logger.info({}, 'stopped');
      expect(lines()).toEqual([
        {
          level: 'info',
          facts: { commandId: 'a', attempt: 1, outcome: 'completed' },
          message: 'command ended',
        },
        { level: 'info', facts: {}, message: 'stopped' },
      ]);
    });

    test('a method detached from its logger still writes', () => {
      const { logger, lines } = start();
      const { info } = logger.child({ a: 1 });
      info({}, 'started');
      expect(lines()).toEqual([{ level: 'info', facts: { a: 1 }, message: 'started' }]);
    });
  });
}
