import { as, type Line, line, muted } from '../../screen/line.ts';
import { timer } from '../../screen/look.ts';
import type { Sample } from '../measure/create-meter.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import { milliseconds, perSecond } from './number-text.ts';

/** Speed of the last half minute, as blocks of eight heights. */
const BLOCKS = '▁▂▃▄▅▆▇█';
const MOST_BLOCKS = 60;

/** What is redrawn while a run goes on. */
export function liveView(samples: readonly Sample[], options: BenchOptions): readonly Line[] {
  const last = samples.at(-1);
  if (last === undefined) return [line(muted('starting'))];
  const { commands, durationMs, agents } = options;
  const of =
    commands !== null ? ` of ${commands}` : durationMs === null ? '' : ` · until ${timer(durationMs)}`;
  return [
    line(
      as('bold', options.scenario),
      ` · ${agents} agents · ${timer(last.atMs)} · ${last.answered}${of} done, ${last.underway} underway`,
    ),
    line(
      as('running', `${perSecond(last.perSecond)} commands/s`),
      ` · p50 ${milliseconds(last.latencyMs.p50)}, p99 ${milliseconds(last.latencyMs.p99)}`,
      ` · CPU ${Math.round(last.cpuPercent)} % · ${Math.round(last.rssMb)} MB`,
    ),
    line(as('accent', blocks(samples))),
  ];
}

function blocks(samples: readonly Sample[]): string {
  const rates = samples.slice(-MOST_BLOCKS).map((sample) => sample.perSecond);
  const most = Math.max(1, ...rates);
  return rates
    .map((rate) => BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((rate / most) * BLOCKS.length))])
    .join('');
}
