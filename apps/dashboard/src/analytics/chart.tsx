import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export type Series = Readonly<{ name: string; colour: string; values: readonly number[] }>;

type Props = Readonly<{ title: string; labels: readonly string[]; series: readonly Series[]; unit: string }>;

const HEIGHT = 200;

/** Bars beside each other, one group a label; the table below it says the same. */
export function BarChart({ title, labels, series, unit }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || labels.length === 0) return;
    const draw = (): uPlot => plotOf(element, labels, series);
    let plot = draw();
    const redraw = (): void => {
      plot.destroy();
      plot = draw();
    };
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    // A canvas knows no custom properties: its colours are read again when the theme changes.
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      plot.destroy();
    };
  }, [labels, series]);
  return (
    <section className="panel chart" aria-label={title}>
      <div className="ptitle">
        <h2>{title}</h2>
        <span className="spring" />
        <span className="dim">{unit}</span>
      </div>
      <div className="plot" ref={box} aria-hidden="true" />
      {series.length > 1 && <Legend series={series} />}
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th>Provider</th>
              {series.map(({ name }) => (
                <th key={name} className="r">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <td>{label}</td>
                {series.map(({ name, values }) => (
                  <td key={name} className="r">
                    {(values[at] ?? 0).toLocaleString('en', { maximumFractionDigits: 1 })}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function Legend({ series }: Readonly<{ series: readonly Series[] }>) {
  return (
    <ul className="legend" aria-hidden="true">
      {series.map(({ name, colour }) => (
        <li key={name}>
          <i style={{ background: `var(--color-${colour})` }} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function plotOf(element: HTMLElement, labels: readonly string[], series: readonly Series[]): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--color-${name}`).trim();
  const width = 0.8 / series.length;
  const xs = labels.map((_, at) => at);
  const axis = { stroke: colour('ink-3'), font: '11px "Inter Variable", sans-serif', ticks: { show: false } };
  const drawn = series.map((one, at): uPlot.Series => {
    const bars = uPlot.paths.bars?.({
      size: [width, 60],
      align: series.length === 1 ? 0 : at < series.length / 2 ? -1 : 1,
      gap: 2,
    });
    return {
      label: one.name,
      fill: colour(one.colour),
      stroke: colour(one.colour),
      width: 0,
      points: { show: false },
      ...(bars === undefined ? {} : { paths: bars }),
    };
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.5, labels.length - 0.5] },
        y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.1] },
      },
      axes: [
        { ...axis, grid: { show: false }, splits: () => xs, values: () => [...labels] },
        { ...axis, grid: { stroke: colour('line'), width: 1 }, size: 48 },
      ],
      series: [{}, ...drawn],
    },
    [xs, ...series.map(({ values }) => [...values])],
    element,
  );
}
