import type { Logger } from '../../ports/logger.ts';

export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
};

/** A logger that keeps its lines; children write to the same lines. */
export type MemoryLogger = Logger & { readonly lines: readonly LogLine[] };

export function createMemoryLogger(): MemoryLogger {
  const lines: LogLine[] = [];
  return { ...loggerOnto(lines, {}), lines };
}

function loggerOnto(lines: LogLine[], base: LogLine['facts']): Logger {
  const at = (level: LogLine['level']) => (facts: LogLine['facts'], message: string) => {
    lines.push({ level, facts: { ...base, ...facts }, message });
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (facts) => loggerOnto(lines, { ...base, ...facts }),
  };
}
