import { useMemo } from 'react';
import { type TimelineView, type TimelineBucketView, duration } from '@signalbox/api';
import { goTo, linkTo } from '../frame/route.ts';
import { lineOf } from '../workspace/command-text.ts';
import { Code } from '../parts/with-code.tsx';
import type { Series } from './chart-panel.tsx';
import { TimeChart } from './time-chart.tsx';
import styles from './chart-panel.module.css';

const MIB = 1024 * 1024;

type Props = Readonly<{ timeline: TimelineView; provider: string }>;

/** Outcomes, run times, waits and usage of commands over time. */
export function OverTime({ timeline, provider }: Props) {
  const times = useMemo(() => timeline.buckets.map(({ at }) => at), [timeline]);
  const charts = useMemo(() => chartsOf(timeline.buckets), [timeline]);

  function choose(at: number): void {
    const query = new URLSearchParams({
      from: String(Math.floor(at)),
      to: String(Math.ceil(at + timeline.bucketMs)),
    });
    if (provider !== '') query.set('provider', provider);
    goTo('history', null, query);
  }

  return (
    <>
      <div className={styles['charts']}>
        {charts.map((chart) => (
          <TimeChart key={chart.title} {...chart} times={times} onChoose={choose} />
        ))}
        <MostUsed timeline={timeline} />
      </div>
    </>
  );
}

type Chart = Readonly<{ title: string; unit: string; kind: 'bars' | 'lines'; series: readonly Series[] }>;

function chartsOf(buckets: readonly TimelineBucketView[]): readonly Chart[] {
  const of = (name: string, colour: string, value: (bucket: TimelineBucketView) => number): Series => ({
    name,
    colour,
    values: buckets.map((bucket) => (bucket.commands === 0 ? null : value(bucket))),
  });
  return [
    {
      title: 'Outcomes over time',
      unit: 'commands',
      kind: 'bars',
      series: [
        of('Completed', 'run-solid', ({ completed }) => completed),
        of('Failed', 'stop-solid', ({ failed }) => failed),
        of('Denied', 'ink-2', ({ denied }) => denied),
        of('Cancelled', 'edge', ({ cancelled }) => cancelled),
      ],
    },
    {
      title: 'Time in execution',
      unit: 'seconds',
      kind: 'lines',
      series: [
        of('Median', 'run-solid', ({ medianMs }) => medianMs / 1000),
        of('p95', 'wait-solid', ({ p95Ms }) => p95Ms / 1000),
      ],
    },
    {
      title: 'Longest waits',
      unit: 'seconds',
      kind: 'lines',
      series: [
        of('For a lease', 'wait-solid', ({ longestWaitMs }) => longestWaitMs / 1000),
        of('For approval', 'ask-solid', ({ longestApprovalMs }) => longestApprovalMs / 1000),
      ],
    },
    {
      title: 'Processor time',
      unit: 'seconds in each part',
      kind: 'bars',
      series: [of('Processor time', 'ok-solid', ({ cpuMs }) => cpuMs / 1000)],
    },
    {
      title: 'Peak memory',
      unit: 'MiB, of the largest command',
      kind: 'bars',
      series: [of('Peak memory', 'run-solid', ({ peakMemoryBytes }) => peakMemoryBytes / MIB)],
    },
  ];
}

function MostUsed({ timeline: { mostUsed } }: Pick<Props, 'timeline'>) {
  return (
    <section className={`panel rows ${styles['most-used']}`} aria-label="Most used commands" tabIndex={0}>
      <div className="panel-title">
        <h2>Most used commands</h2>
      </div>
      <table>
        <thead>
          <tr>
            <th>Command</th>
            <th className="right">Times</th>
            <th className="right">Not completed</th>
            <th className="right">Median</th>
          </tr>
        </thead>
        <tbody>
          {mostUsed.map(({ title, commands, failed, medianMs }) => (
            <tr key={title}>
              <td>
                <a href={linkTo('history', null, new URLSearchParams({ text: title }))}>
                  <Code text={lineOf({ tool: title.split(' ')[0] ?? '', title })} />
                </a>
              </td>
              <td className="right">{commands}</td>
              <td className="right">{failed}</td>
              <td className="right">{duration(medianMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
