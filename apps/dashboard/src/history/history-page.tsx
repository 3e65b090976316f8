import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';
import { useKeys } from '../frame/keys.ts';
import { goTo, linkTo, useRoute } from '../frame/route.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { CommandDetail } from './command-detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf, filterWords, questionOf, withFilter } from './filters.ts';
import { HistoryRow } from './history-row.tsx';
import { useArrivals } from './use-new-rows.ts';
import styles from './history-page.module.css';

const PAGE = 200;
const ROW = 36;
const PHONE_ROW = 56;

/** What happened, in which order, and why each command ended so. */
export function HistoryPage() {
  const { id, query } = useRoute();
  const filters = filtersOf(query);
  const asked = filters.toString();
  const [isTouched, setTouched] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const { seen, newer, take } = useArrivals(id !== null || isTouched || isScrolled);
  const history = useInfiniteQuery({
    queryKey: ['history', asked, seen],
    queryFn: ({ pageParam }) =>
      client.listCommands({
        ...questionOf(filters),
        limit: PAGE,
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  });
  const rows = useMemo(() => history.data?.pages.flatMap(({ commands }) => commands) ?? [], [history.data]);

  function step(by: number): void {
    const at = rows.findIndex((row) => row.id === id);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined) goTo('history', next.id, filters);
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': () => document.querySelector<HTMLElement>('[role="search"] input')?.focus(),
    Escape: () => goTo('history', null, filters),
  });

  return (
    <>
      <div className="page-head">
        <h1>History</h1>
        {newer > 0 && (
          <button type="button" className="btn sm quiet" onClick={take}>
            {newer} newer
          </button>
        )}
        <span className="spacer" />
        <a className="btn quiet" href={`/api/history/export?${asked}&format=jsonl`} download>
          Export JSON Lines
        </a>
        <a className="btn quiet" href={`/api/history/export?${asked}&format=csv`} download>
          CSV
        </a>
      </div>
      <FilterBar filters={filters} />
      <div className={id === null ? styles['layout'] : `${styles['layout']} ${styles['with-detail']}`}>
        <section
          className="panel rows"
          aria-label="Commands, newest first"
          onPointerEnter={() => setTouched(true)}
          onPointerLeave={() => setTouched(false)}
          onFocus={() => setTouched(true)}
          onBlur={() => setTouched(false)}
        >
          {history.isError && (
            <div className="padded">
              <RefusalNote refusal={refusalFrom(history.error)} onRetry={() => void history.refetch()} />
            </div>
          )}
          {history.isPending && <Loading lines={8} />}
          {history.isSuccess && rows.length === 0 && <NoRows filters={filters} />}
          {rows.length > 0 && id === null && <Heads />}
          {rows.length > 0 && (
            <Rows
              rows={rows}
              openId={id}
              filters={filters}
              onScrolled={setScrolled}
              onEnd={() => history.hasNextPage && !history.isFetching && void history.fetchNextPage()}
            />
          )}
        </section>
        {id !== null && <CommandDetail id={id} filters={filters} />}
      </div>
    </>
  );
}

/** Each row is understandable by its words and shapes; the headings are visual only. */
function Heads() {
  return (
    <div className={styles['row-heads']} aria-hidden="true">
      <span>Time</span>
      <span>Who</span>
      <span>Command</span>
      <span>Level</span>
      <span>Ruling</span>
      <span>Outcome</span>
      <span>Took</span>
    </div>
  );
}

function NoRows({ filters }: Readonly<{ filters: URLSearchParams }>) {
  const words = filterWords(filters);
  if (words.length === 0) {
    return (
      <EmptyLane title="No commands yet">
        <p>
          <code>signalbox exec -- echo hello</code> runs one
        </p>
      </EmptyLane>
    );
  }
  return (
    <EmptyLane title="Nothing matches">
      <div className="actions">
        {words.map(([name, text]) => (
          <a
            key={name}
            className="btn sm"
            href={linkTo('history', null, withFilter(filters, name, { value: '' }))}
          >
            Drop {text}
          </a>
        ))}
      </div>
    </EmptyLane>
  );
}

function Rows({
  rows,
  openId,
  filters,
  onScrolled,
  onEnd,
}: Readonly<{
  rows: readonly CommandView[];
  openId: string | null;
  filters: URLSearchParams;
  onScrolled: (isScrolled: boolean) => void;
  onEnd: () => void;
}>) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState({ rows, fresh: 0 });
  if (shown.rows !== rows) setShown({ rows, fresh: rows.findIndex(({ id }) => id === shown.rows[0]?.id) });
  const height = innerWidth <= 760 ? PHONE_ROW : ROW;
  // oxlint-disable-next-line react/incompatible-library -- its rows are recreated at each scroll, and not memoised
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
  });
  return (
    <div
      className="scroll"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={`About ${rows.length} commands`}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        onScrolled(scrollTop > 0);
        if (scrollTop + clientHeight > scrollHeight - 600) onEnd();
      }}
    >
      <ul style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const command = rows[index];
          if (command === undefined) return null;
          return (
            <li
              key={command.id}
              data-fresh={index < shown.fresh || undefined}
              style={{ position: 'absolute', top: start, height: size, left: 0, right: 0 }}
            >
              <HistoryRow command={command} isOpen={command.id === openId} filters={filters} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
