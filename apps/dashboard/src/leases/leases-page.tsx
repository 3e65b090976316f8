import type { Lease } from '@signalbox/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import type { QueueView } from '@signalbox/api';
import { useCounts } from '../frame/use-counts.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { LeaseCard } from './lease-card.tsx';
import { RefusedAtCommit } from './refused-at-commit.tsx';
import { resourceRows } from './resource-rows.ts';
import { LeaseRow } from './lease-row.tsx';
import { WaitGraphView } from './wait-graph-view.tsx';
import styles from './leases-page.module.css';

/** Held resources, holders and expiry; who is next; writes rejected because another command was first. */
export function LeasesPage() {
  const summaries = useWorkspace((panel) => panel.commands);
  const { waiting, running } = useCounts();
  const stamp = useMemo(() => queueStamp(summaries.values()), [summaries]);
  const query = useQuery({
    queryKey: ['queue', stamp],
    queryFn: () => client.getQueue(),
    placeholderData: (before) => before,
    // Lease renewals are no events: the remaining time is polled.
    refetchInterval: 5000,
  });
  const [path, setPath] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const queue = query.data;
  const rows = useMemo(() => (queue === undefined ? [] : resourceRows(queue)), [queue]);
  const shown = rows.filter(({ resource }) => resource.toLowerCase().includes(path.toLowerCase()));
  const lease = queue === undefined ? null : leaseToShow(queue, chosen);
  return (
    <>
      <div className="page-head">
        <h1>Queue & leases</h1>
        <div className="page-counts">
          <span>
            <b>{queue?.leases.length ?? 0}</b> {queue?.leases.length === 1 ? 'lease' : 'leases'}
          </span>
          <span>
            <b>{waiting}</b> waiting
          </span>
          <span>
            <b>{running}</b> running
          </span>
        </div>
        <span className="spacer" />
        <div className="filters">
          <input
            type="search"
            aria-label="Filter by path"
            placeholder="Filter by path"
            value={path}
            onChange={({ target }) => setPath(target.value)}
          />
        </div>
      </div>
      <section
        className={`panel ${styles['plan']}`}
        aria-label="Track plan: resources, what occupies them, what waits"
      >
        <div className={`${styles['row']} ${styles['heading']}`}>
          <span>Resource</span>
          <span className={styles['waiting-heading']}>Waiting, in arrival order</span>
          <span />
          <span className={styles['holders-heading']}>Occupied by</span>
        </div>
        <div className={styles['rows']} tabIndex={0} role="region" aria-label="Tracks">
          {query.isError && (
            <div className="padded">
              <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
            </div>
          )}
          {query.isPending && <Loading lines={3} />}
          {queue !== undefined && shown.length === 0 && (
            <EmptyLane title={rows.length === 0 ? 'No leases held' : 'Nothing matches'} />
          )}
          {shown.map((row) => (
            <LeaseRow
              key={row.resource}
              row={row}
              summaries={summaries}
              isSelected={row.leases.some(({ commandId }) => commandId === lease?.commandId)}
              onSelect={setChosen}
            />
          ))}
        </div>
      </section>
      <div className={styles['lower']}>
        <WaitGraphView />
        <RefusedAtCommit />
        <LeaseCard lease={lease} />
      </div>
    </>
  );
}

/** The selected one, else one with waiting commands, else the first. */
function leaseToShow({ leases, waiting }: QueueView, chosen: string | null): Lease | null {
  const awaited = new Set(waiting.flatMap(({ blockers }) => blockers));
  return (
    leases.find(({ commandId }) => commandId === chosen) ??
    leases.find(({ commandId }) => awaited.has(commandId)) ??
    leases[0] ??
    null
  );
}

/** Changes when a command enters or leaves the queue or a lease. */
function queueStamp(summaries: Iterable<{ id: string; state: string }>): string {
  return [...summaries]
    .filter(({ state }) => state === 'queued' || state === 'running')
    .map(({ id, state }) => id + state)
    .join();
}
