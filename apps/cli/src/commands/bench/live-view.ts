import {
  type BenchOptions,
  milliseconds,
  perSecond,
  type Quantiles,
  type MeterSample,
} from '@signalbox/bench';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { plural, timer } from '../../terminal/render-context.ts';

/** Speed over the last half minute, as blocks of eight heights. */
const BLOCKS = '▁▂▃▄▅▆▇█';
const MAX_BLOCKS = 60;

/** The part redrawn during a run. */
export function liveView(samples: readonly MeterSample[], options: BenchOptions): readonly Line[] {
  const last = samples.at(-1);
  if (last === undefined) return [line(muted('starting'))];
  const { commands, durationMs, agents } = options;
  const until = durationMs !== null && last.atMs < durationMs ? ` of ${timer(durationMs)}` : '';
  const of = commands === null ? '' : ` of ${commands}`;
  return [
    line(
      as('bold', options.scenario),
      ` · ${plural(agents, 'agent')} · ${timer(last.atMs)}${until}`,
      ` · ${last.answered}${of} done, ${last.underway} underway`,
    ),
    line(
      as('running', `${perSecond(last.perSecond)} commands/s`),
      ` · ${last.waiting} waiting · ${plural(last.conflicts, 'conflict')}`,
      ` · CPU ${Math.round(last.cpuPercent)} % · ${Math.round(last.rssMb)} MB`,
    ),
    line(`submit → start  ${halfAndTail(last.startMs)}`),
    line(`start → end     ${halfAndTail(last.workMs)}`),
    line(as('accent', blocks(samples))),
  ];
}

function halfAndTail({ p50, p99, count }: Quantiles): string {
  const [half, tail] = [p50, p99].map((ms) => (count === 0 ? '–' : milliseconds(ms)).padStart(8));
  return `p50 ${half}  p99 ${tail}`;
}

function blocks(samples: readonly MeterSample[]): string {
  const rates = samples.slice(-MAX_BLOCKS).map((sample) => sample.perSecond);
  const highest = Math.max(1, ...rates);
  return rates
    .map((rate) => BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((rate / highest) * BLOCKS.length))])
    .join('');
}
