import type { RecoveryView } from '@signalbox/api';
import { as, type Line, line } from '../terminal/line.ts';

/** `recovering 12,000 of 50,000 earlier commands recovered; new calls queue behind them` */
export function recoveryLine({ done, of }: RecoveryView): Line {
  const count = (commands: number): string => commands.toLocaleString('en');
  return line(
    as('warn', 'recovering'),
    ` ${count(done)} of ${count(of)} earlier commands recovered; new calls queue behind them`,
  );
}
