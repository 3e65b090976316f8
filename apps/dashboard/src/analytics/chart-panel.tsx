import type { RefObject } from 'react';
import styles from './chart-panel.module.css';

/** A name, a CSS colour, and a number for each row; null if there was nothing to count. */
export type Series = Readonly<{ name: string; colour: string; values: readonly (number | null)[] }>;

type Props = Readonly<{
  title: string;
  unit: string;
  /** Heading of the table's rows: providers, times. */
  rowTitle: string;
  rows: readonly string[];
  series: readonly Series[];
  plot: RefObject<HTMLDivElement | null>;
}>;

/** A chart with its legend, and the same data as a table. */
export function ChartPanel({ title, unit, rowTitle, rows, series, plot }: Props) {
  return (
    <section className={`panel ${styles['chart']}`} aria-label={title}>
      <div className="panel-title">
        <h2>{title}</h2>
        <span className="spacer" />
        <span className="dim">{unit}</span>
      </div>
      <div className={styles['plot']} ref={plot} aria-hidden="true" />
      {series.length > 1 && <Legend series={series} />}
      <details>
        <summary>As a table</summary>
        <div className={styles['chart-table']} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th>{rowTitle}</th>
                {series.map(({ name }) => (
                  <th key={name} className="right">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={row}>
                  <td>{row}</td>
                  {series.map(({ name, values }) => (
                    <td key={name} className="right">
                      {(values[at] ?? 0).toLocaleString('en', { maximumFractionDigits: 1 })}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function Legend({ series }: Readonly<{ series: readonly Series[] }>) {
  return (
    <ul className={styles['legend']} aria-hidden="true">
      {series.map(({ name, colour }) => (
        <li key={name}>
          <i style={{ background: `var(--color-${colour})` }} />
          {name}
        </li>
      ))}
    </ul>
  );
}
