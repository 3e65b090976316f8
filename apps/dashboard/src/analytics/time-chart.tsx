import { useCallback, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ChartPanel, type Series } from './chart-panel.tsx';
import { axisOptions, colourOf, PLOT_HEIGHT, usePlot } from './use-plot.ts';

type Props = Readonly<{
  title: string;
  unit: string;
  /** Start of each bucket, epoch milliseconds, evenly spaced. */
  times: readonly number[];
  /** `bars`: parts of a whole, stacked, given from the bottom up. */
  kind: 'bars' | 'lines';
  series: readonly Series[];
  /** Called with the clicked time. */
  onChoose: (at: number) => void;
}>;

/** Numbers over time; a click opens the commands behind them. */
export function TimeChart({ title, unit, times, kind, series, onChoose }: Props) {
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });
  const plot = usePlot(
    useCallback(
      (element) => plotOf(element, { times, kind, series, onChoose: (at) => choose.current(at) }),
      [times, kind, series],
    ),
  );
  return (
    <ChartPanel
      title={title}
      unit={unit}
      rowTitle="From"
      rows={times.map(timeText)}
      series={series}
      plot={plot}
    />
  );
}

function timeText(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** For ticks that many seconds apart: `14:30`, `14:30:15` below a minute, and the day at midnight. */
function tickText(seconds: number, apart: number): string {
  const at = new Date(seconds * 1000);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return isMidnight
    ? at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        ...(apart < 60 ? { second: '2-digit' } : {}),
      });
}

type Drawn = Pick<Props, 'times' | 'kind' | 'series' | 'onChoose'>;

function plotOf(element: HTMLElement, { times, kind, series, onChoose }: Drawn): uPlot {
  const axis = axisOptions();
  const step = times.length > 1 ? ((times[1] ?? 0) - (times[0] ?? 0)) / 1000 : 1;
  // The tallest bars are drawn first, so that lower ones are drawn over them.
  const order = kind === 'bars' ? stacked(series).toReversed() : series;
  const xs = times.map((at) => at / 1000 + step / 2);
  return new uPlot(
    {
      width: element.clientWidth,
      height: PLOT_HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { range: [(times[0] ?? 0) / 1000, (times.at(-1) ?? 0) / 1000 + step] },
        y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_, splits, __, ___, apart) => splits.map((at) => tickText(at, apart)),
          size: 32,
        },
        { ...axis, grid: { stroke: colourOf('line'), width: 1 }, size: 52 },
      ],
      series: [{}, ...order.map((one) => axisStyle(one, kind))],
      hooks: {
        ready: [
          (chart) => {
            chart.over.style.cursor = 'pointer';
            chart.over.addEventListener('click', () => {
              const at =
                times[
                  Math.floor((chart.posToVal(chart.cursor.left ?? 0, 'x') - (times[0] ?? 0) / 1000) / step)
                ];
              if (at !== undefined) onChoose(at);
            });
          },
        ],
      },
    },
    [xs, ...order.map(({ values }) => [...values])],
    element,
  );
}

function axisStyle({ name, colour }: Series, kind: Props['kind']): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.85, 40], align: 0 });
  const base = { label: name, stroke: colourOf(colour) };
  // A bucket between empty ones has no line to its neighbours: it is drawn as a point.
  if (kind === 'lines' || bars === undefined)
    return { ...base, width: 2, points: { show: true, size: 5, fill: colourOf(colour) } };
  return { ...base, points: { show: false }, width: 0, fill: colourOf(colour), paths: bars };
}

/** Each value plus those below it. */
function stacked(series: readonly Series[]): readonly Series[] {
  const sums: number[] = [];
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, at) => {
      sums[at] = (sums[at] ?? 0) + (value ?? 0);
      return sums[at];
    }),
  }));
}
