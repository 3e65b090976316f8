import { STATE_WORDS } from '@signalbox/api';
import { useCallback, useMemo, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import type { Panel } from '../workspace/panel.ts';
import { useNow } from '../workspace/use-now.ts';
import { NewSessionButton } from '../sessions/new-session.tsx';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { diagramOf, isOf, type LaneFilter } from './diagram-model.ts';
import { EventList } from './event-list.tsx';
import { LaneTable } from './lane-table.tsx';
import { SelectedCommand } from './selected-command.tsx';
import { LaneDiagram } from './lane-diagram.tsx';
import styles from './live-page.module.css';

const WINDOWS = [
  [30_000, '30 seconds'],
  [120_000, '2 minutes'],
  [600_000, '10 minutes'],
  [1_800_000, '30 minutes'],
] as const;

type Frozen = Readonly<{ panel: Panel; now: number }>;

export function LivePage() {
  const livePanel = useWorkspace((panel) => panel);
  const liveNow = useNow();
  const [frozen, setFrozen] = useState<Frozen | null>(null);
  const [windowMs, setWindowMs] = useState<number>(WINDOWS[1][0]);
  const [filter, setFilter] = useState<LaneFilter | null>(null);
  const [isTable, setTable] = useState(false);
  const [width, setWidth] = useState(500);
  const [withEnded, setWithEnded] = useState(false);
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const { panel, now } = frozen ?? { panel: livePanel, now: liveNow };
  const [selected, setSelected] = useState(() => firstToShow(panel));
  const keepWidth = useCallback((next: number) => setWidth(Math.max(120, next)), []);
  const diagram = useMemo(
    () => diagramOf({ panel, now, windowMs, width, selected, filter, withEnded, order }),
    [panel, now, windowMs, width, selected, filter, withEnded, order],
  );
  const freeze = (): void => setFrozen(frozen === null ? { panel: livePanel, now: liveNow } : null);
  useKeys({ f: freeze, Escape: () => setFilter(null) });

  if (panel.commands.size === 0 && panel.sessions.size === 0) return <NoSession />;
  return (
    <>
      <div className="page-head">
        <h1>Live</h1>
        <CountFilters panel={panel} now={now} filter={filter} onFilter={setFilter} />
        <span className="spacer" />
        <a className="btn quiet" href={linkTo('review')}>
          Review changes
        </a>
        <button type="button" className="btn quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Show as table
        </button>
        <select
          className="btn quiet"
          aria-label="Time shown"
          value={windowMs}
          onChange={({ target }) => setWindowMs(Number(target.value))}
        >
          {WINDOWS.map(([ms, name]) => (
            <option key={ms} value={ms}>
              Last {name}
            </option>
          ))}
        </select>
        <button type="button" className="btn quiet" aria-pressed={frozen !== null} onClick={freeze}>
          <Icon name="pause" />
          {frozen === null ? 'Freeze' : 'Frozen'} <kbd>F</kbd>
        </button>
      </div>
      {isTable ? (
        <LaneTable panel={panel} now={now} />
      ) : (
        <LaneDiagram
          diagram={diagram}
          around={panel}
          now={now}
          windowMs={windowMs}
          onWidth={keepWidth}
          onSelect={setSelected}
          withEnded={withEnded}
          onWithEnded={setWithEnded}
          onHold={(isHeld) => setOrder(isHeld ? diagram.lanes.map(({ provider }) => provider) : null)}
        />
      )}
      <div className={styles['below']}>
        <SelectedCommand id={selected} />
        <EventList />
      </div>
    </>
  );
}

/** Selected once, when the page opens: nothing is replaced later. */
function firstToShow({ commands: summaries }: Panel): string | null {
  const all = [...summaries.values()];
  const chosen =
    all.findLast(({ state }) => state === 'running') ??
    all.findLast(({ state }) => state !== 'done') ??
    all.at(-1);
  return chosen?.id ?? null;
}

const COUNTS: readonly (readonly [LaneFilter, string, IconName, string])[] = [
  ['asking', STATE_WORDS.awaiting_approval, 'diamond', 'ask'],
  ['waiting', STATE_WORDS.queued, 'hold', 'wait'],
  ['running', STATE_WORDS.running, 'play', 'run'],
  ['refused', 'Denied, 1 h', 'cross', 'stop'],
];

function CountFilters({
  panel,
  now,
  filter,
  onFilter,
}: Readonly<{
  panel: Panel;
  now: number;
  filter: LaneFilter | null;
  onFilter: (filter: LaneFilter | null) => void;
}>) {
  const all = [...panel.commands.values()];
  return (
    <div className="page-counts" role="group" aria-label="Filter lanes">
      {COUNTS.map(([kind, name, icon, tone]) => (
        <button
          key={kind}
          type="button"
          className={styles['count']}
          data-tone={tone}
          aria-pressed={filter === kind}
          onClick={() => onFilter(filter === kind ? null : kind)}
        >
          <Icon name={icon} />
          {name}{' '}
          <b>
            {all.filter((summary) => isOf(kind, now, summary)).length}
            {kind === 'running' && ` of ${panel.limits.maxConcurrent}`}
          </b>
        </button>
      ))}
    </div>
  );
}

function NoSession() {
  return (
    <>
      <div className="page-head">
        <h1>Live</h1>
        <span className="spacer" />
        <NewSessionButton />
      </div>
      <section className="panel">
        <EmptyLane title="No sessions yet">
          <p>
            Start one with <code>signalbox run</code>, or point an agent here through MCP
          </p>
          <pre tabIndex={0}>
            {`signalbox run "fix the failing test"\nsignalbox exec -- npm test\nsignalbox demo`}
          </pre>
        </EmptyLane>
      </section>
    </>
  );
}
