import { loggerContract } from './logger-contract.ts';
import { createMemoryLogger } from '../memory/memory-logger.ts';

loggerContract('the memory logger', () => {
  const logger = createMemoryLogger();
  return { logger, lines: () => logger.lines };
});
