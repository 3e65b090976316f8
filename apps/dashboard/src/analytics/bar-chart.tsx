import { useCallback } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ChartPanel, type Series } from './chart-panel.tsx';
import { axisOptions, colourOf, PLOT_HEIGHT, usePlot } from './use-plot.ts';

type Props = Readonly<{ title: string; labels: readonly string[]; series: readonly Series[]; unit: string }>;

/** Bars next to each other, one group per provider. */
export function BarChart({ title, labels, series, unit }: Props) {
  const plot = usePlot(useCallback((element) => barsOf(element, labels, { series }), [labels, series]));
  return (
    <ChartPanel title={title} unit={unit} rowTitle="Provider" rows={labels} series={series} plot={plot} />
  );
}

function barsOf(
  element: HTMLElement,
  labels: readonly string[],
  { series }: Readonly<{ series: readonly Series[] }>,
): uPlot {
  const width = 0.8 / series.length;
  const xs = labels.map((_, at) => at);
  const axis = axisOptions();
  const drawn = series.map((one, at): uPlot.Series => {
    const bars = uPlot.paths.bars?.({
      size: [width, 60],
      align: series.length === 1 ? 0 : at < series.length / 2 ? -1 : 1,
      gap: 2,
    });
    return {
      label: one.name,
      fill: colourOf(one.colour),
      stroke: colourOf(one.colour),
      width: 0,
      points: { show: false },
      ...(bars === undefined ? {} : { paths: bars }),
    };
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height: PLOT_HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, labels.length - 0.5] },
        y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.1] },
      },
      axes: [
        { ...axis, grid: { show: false }, splits: () => xs, values: () => [...labels] },
        { ...axis, grid: { stroke: colourOf('line'), width: 1 }, size: 48 },
      ],
      series: [{}, ...drawn],
    },
    [xs, ...series.map(({ values }) => [...values])],
    element,
  );
}
