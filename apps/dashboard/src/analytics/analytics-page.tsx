import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import { byteText, type ProviderStats, type TimelineView, duration } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import type { Panel } from '../workspace/panel.ts';
import { workspaceNow } from '../workspace/use-now.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Loading } from '../parts/loading.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { BarChart } from './bar-chart.tsx';
import type { Series } from './chart-panel.tsx';
import { OverTime } from './over-time.tsx';
import styles from './chart-panel.module.css';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANGES = [
  [HOUR_MS / 6, 'Last 10 minutes'],
  [HOUR_MS, 'Last hour'],
  [DAY_MS, 'Last day'],
  [7 * DAY_MS, 'Last 7 days'],
  [30 * DAY_MS, 'Last 30 days'],
] as const;
/** With fewer commands, shares and percentiles are mostly chance. */
const ENOUGH = 20;
const EVERY_MS = 10_000;
const BUCKETS = 48;
const SHORTEST_SPAN_MS = 60_000;

/** Waits, failures, denials and their times. Refetched every 10 seconds, without animation. */
export function AnalyticsPage() {
  const [range, setRange] = useState(firstRange(useWorkspace(({ commands }) => commands)));
  const [provider, setProvider] = useState('');
  const providers = useWorkspace((panel) => panel.providers);
  const query = useNumbers(range, provider);
  const rows = useMemo(
    () => (query.data?.providers ?? []).filter((row) => row.commands > 0 && isOf(row, provider)),
    [query.data, provider],
  );
  const total = rows.reduce((sum, { commands }) => sum + commands, 0);
  return (
    <>
      <div className="page-head">
        <h1>Analytics</h1>
        <span className="dim num">{total.toLocaleString('en')} commands</span>
        <span className="spacer" />
        <select
          className="btn quiet"
          aria-label="Provider"
          value={provider}
          onChange={({ target }) => setProvider(target.value)}
        >
          <option value="">All providers</option>
          {providers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="btn quiet"
          aria-label="Time shown"
          value={range}
          onChange={({ target }) => setRange(Number(target.value))}
        >
          {RANGES.map(([ms, name]) => (
            <option key={ms} value={ms}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {query.isError && (
        <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading />}
      {query.isSuccess && total === 0 && (
        <section className="panel">
          <EmptyLane title={`Needs ${ENOUGH} commands; 0 so far`} />
        </section>
      )}
      {total > 0 && query.data !== undefined && (
        <>
          <OverTime timeline={query.data.timeline} provider={provider} />
          <Charts rows={rows} />
        </>
      )}
    </>
  );
}

/** Up to a day, as far as there is data: for a coordinator that started within the hour, a day would be empty. */
function firstRange(summaries: Panel['commands']): number {
  const [oldest] = summaries.values();
  const ageMs = workspaceNow() - (oldest?.submittedAt ?? 0);
  return RANGES.find(([ms]) => ms >= Math.min(ageMs, DAY_MS))?.[0] ?? DAY_MS;
}

/** Where charts begin if most of the earlier time was empty: two thin bars at the edge show nothing (U-WEAK). */
function firstUsed({ buckets }: TimelineView): number | null {
  const at = buckets.findIndex(({ commands }) => commands > 0);
  return at < buckets.length / 3 ? null : (buckets[at - 1]?.at ?? null);
}

function isOf(row: ProviderStats, provider: string): boolean {
  return provider === '' || row.provider === provider;
}

function useNumbers(range: number, provider: string) {
  return useQuery({
    queryKey: ['stats', range, provider],
    queryFn: async () => {
      const to = workspaceNow();
      const of = provider === '' ? {} : { provider };
      const between = (from: number): Promise<TimelineView> =>
        client.getTimeline({ from, to, buckets: BUCKETS, ...of });
      const [{ providers }, whole] = await Promise.all([
        client.getStats({ since: to - range }),
        between(to - range),
      ]);
      const from = firstUsed(whole);
      const timeline = from === null ? whole : await between(Math.min(from, to - SHORTEST_SPAN_MS));
      return { providers, timeline };
    },
    refetchInterval: EVERY_MS,
    placeholderData: (before) => before,
  });
}

function Charts({ rows }: Readonly<{ rows: readonly ProviderStats[] }>) {
  const labels = useMemo(() => rows.map(({ provider }) => provider as string), [rows]);
  const charts = useMemo(() => chartsOf(rows), [rows]);
  return (
    <>
      <div className={styles['charts']}>
        {charts.map(({ title, unit, series }) => (
          <BarChart key={title} title={title} unit={unit} labels={labels} series={series} />
        ))}
      </div>
      <Providers rows={rows} />
    </>
  );
}

type Chart = Readonly<{ title: string; unit: string; series: readonly Series[] }>;

function chartsOf(rows: readonly ProviderStats[]): readonly Chart[] {
  const of = (name: string, colour: string, value: (row: ProviderStats) => number): Series => ({
    name,
    colour,
    values: rows.map(value),
  });
  return [
    {
      title: 'Outcomes by provider',
      unit: 'commands',
      series: [
        of('Completed', 'run-solid', ({ completed }) => completed),
        of('Did not complete', 'stop-solid', ({ failed, denied, cancelled }) => failed + denied + cancelled),
      ],
    },
    {
      title: 'Execution by provider',
      unit: 'seconds, median',
      series: [of('Median', 'run-solid', ({ medianMs }) => medianMs / 1000)],
    },
    {
      title: 'Waiting by provider',
      unit: 'seconds in all',
      series: [
        of('For a lease', 'wait-solid', ({ waitedMs }) => waitedMs / 1000),
        of('For approval', 'ask-solid', ({ approvalMs }) => approvalMs / 1000),
      ],
    },
    {
      title: 'Processor time by provider',
      unit: 'seconds in all',
      series: [of('Processor time', 'ok-solid', ({ cpuMs }) => cpuMs / 1000)],
    },
  ];
}

function Providers({ rows }: Readonly<{ rows: readonly ProviderStats[] }>) {
  return (
    <section className="panel rows" aria-label="By provider" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Provider</th>
            <th className="right">Commands</th>
            <th className="right">Failed</th>
            <th className="right">Denied</th>
            <th className="right">Median</th>
            <th className="right">p95</th>
            <th className="right">Peak memory</th>
            <th>Most used</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.provider}>
              <td>
                <a href={linkTo('history', null, new URLSearchParams({ provider: row.provider }))}>
                  <Plate provider={row.provider} /> {row.provider}
                </a>
              </td>
              <td className="right">{row.commands}</td>
              <td className="right">{row.failed}</td>
              <td className="right">{row.denied}</td>
              <td className="right">{duration(row.medianMs)}</td>
              <td className="right">{row.commands < ENOUGH ? `needs ${ENOUGH}` : duration(row.p95Ms)}</td>
              <td className="right">{byteText(row.peakMemoryBytes)}</td>
              <td>
                {row.mostUsed
                  .slice(0, 3)
                  .map(({ tool, commands }) => `${tool} ${commands}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
