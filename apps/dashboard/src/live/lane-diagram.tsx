import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { timeOfDay } from '../workspace/time-text.ts';
import { linkTo } from '../frame/route.ts';
import type { Diagram } from './diagram-model.ts';
import { Lane } from './lane.tsx';
import { branchPath, type Chip, type HoldColumn, routePath } from './routes.ts';
import type { PanelLimits } from './state-words.ts';
import { QuietLanes } from './quiet-lanes.tsx';
import { isShown, type ShownRange, useShownRange } from './use-shown-range.ts';
import styles from './lane-diagram.module.css';

type Props = Readonly<{
  diagram: Diagram;
  around: PanelLimits;
  now: number;
  windowMs: number;
  onWidth: (width: number) => void;
  onSelect: (id: string) => void;
  /** Whether lanes of ended sessions are drawn. */
  withEnded: boolean;
  onWithEnded: (withEnded: boolean) => void;
  /** No lane changes its place while the pointer is over them. */
  onHold: (isHeld: boolean) => void;
}>;

/** From this many lanes on they scroll separately: the selected command stays visible below them. */
const MANY = 9;
const SCROLLED = { tabIndex: 0, role: 'region', 'aria-label': 'Lanes' } as const;

/** The past is left of Now, held and awaited resources are right of it; from left to right. */
export function LaneDiagram({
  diagram,
  around,
  now,
  windowMs,
  onWidth,
  onSelect,
  withEnded,
  onWithEnded,
  onHold,
}: Props) {
  const [lit, setLit] = useState<string | null>(null);
  const { holds, lanes, idle, ended } = diagram;
  const [body, setBody] = useState<HTMLDivElement | null>(null);
  const isMany = lanes.length >= MANY;
  const range = useShownRange(body, isMany ? '[aria-label=Lanes]' : 'main');
  // A hundred providers are more than a screen: lanes out of view are not drawn.
  const shown = lanes.filter(({ top, height }) => isShown(range, { from: top, to: top + height }));
  const track = useDiagramWidth(onWidth);
  const tabStop = tabStopOf(shown);
  const holdWidth = useWidest(holds.width);
  return (
    <section
      className={isMany ? `panel ${styles['diagram']} ${styles['many']}` : `panel ${styles['diagram']}`}
      aria-label={`Track diagram: ${lanes.length} providers`}
      style={{ '--c-hold': `${holdWidth}px` } as Record<string, string>}
    >
      <Axis now={now} windowMs={windowMs}>
        <div className={styles['ticks']} ref={track} aria-hidden="true">
          {[0.25, 0.5, 0.75].map((at) => (
            <span key={at} style={{ left: `${at * 100}%` }}>
              {timeOfDay(now - windowMs * (1 - at))}
            </span>
          ))}
          <span className={styles['now']}>Now</span>
        </div>
      </Axis>
      <div className={styles['lane-scroll']} {...(isMany ? SCROLLED : {})}>
        <div
          className={styles['lanes']}
          ref={setBody}
          style={Number.isFinite(range.bottom) ? { height: diagram.height } : undefined}
          onKeyDown={(event) => moveFocus(event, body)}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onHold(true)}
          onPointerLeave={() => onHold(false)}
        >
          <div style={{ height: shown[0]?.top ?? 0 }} />
          {shown.map((lane) => (
            <Lane
              key={lane.provider}
              lane={lane}
              around={around}
              now={now}
              lit={lit}
              tabStop={tabStop}
              onSelect={onSelect}
              onLight={setLit}
            />
          ))}
          <Holds holds={shownOf(holds, range)} height={diagram.height} lit={lit} />
          <PhoneRoutes holds={holds} summaries={around.commands} body={body} />
        </div>
      </div>
      {holds.hidden > 0 && (
        <a className={styles['foot-note']} href={linkTo('leases')}>
          +{holds.hidden} more waits: open Queue & leases
        </a>
      )}
      <QuietLanes idle={idle} ended={ended} withEnded={withEnded} onWithEnded={onWithEnded} />
    </section>
  );
}

function Axis({ children }: Readonly<{ now: number; windowMs: number; children: ReactNode }>) {
  return (
    <div className={styles['axis']}>
      <span>Provider</span>
      {children}
      <span className={styles['over-hold']}>Holds or waits for</span>
      <span className={styles['over-next']}>State</span>
    </div>
  );
}

/** If the column shrank with each lease that ends, Now and everything left of it would move at each command. */
function useWidest(width: number): number {
  const [widest, setWidest] = useState(width);
  if (width > widest) setWidest(width);
  return Math.max(width, widest);
}

/** The only measurement of the diagram: the width of its time axis. */
function useDiagramWidth(onWidth: (width: number) => void) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => onWidth(element.clientWidth));
    observer.observe(element);
    onWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [onWidth]);
  return ref;
}

/** The visible chips and routes. */
function shownOf(holds: HoldColumn, range: ShownRange): HoldColumn {
  return {
    ...holds,
    chips: holds.chips.filter(({ y }) => isShown(range, { from: y, to: y })),
    routes: holds.routes.filter(({ from, to }) => {
      const end = to?.y ?? 0;
      return isShown(range, { from: Math.min(from.y, end), to: Math.max(from.y, end) });
    }),
  };
}

function tabStopOf(lanes: Diagram['lanes']): string | null {
  const items = lanes.flatMap(({ layout }) => layout.items);
  const first = items.find(({ kind }) => kind === 'block') ?? items[0];
  if (first === undefined) return null;
  return (first.kind === 'bead' ? first.summaries[0]?.id : first.summary.id) ?? null;
}

/** One tab stop for the whole diagram; arrows move between blocks and lanes. */
function moveFocus(event: KeyboardEvent, body: HTMLElement | null): void {
  const lane = document.activeElement?.closest('article');
  if (body === null || lane === null || lane === undefined) return;
  const inLane = [...lane.querySelectorAll<HTMLElement>('[data-item]')];
  const at = inLane.findIndex((item) => item === document.activeElement);
  if (at < 0) return;
  const lanes = [...body.querySelectorAll<HTMLElement>('article:has([data-item])')];
  const other = (step: number): HTMLElement | undefined =>
    [...(lanes[lanes.indexOf(lane) + step]?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].at(-1);
  const target: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowLeft: inLane[at - 1],
    ArrowRight: inLane[at + 1],
    ArrowUp: other(-1),
    ArrowDown: other(1),
  };
  if (!(event.key in target)) return;
  event.preventDefault();
  target[event.key]?.focus();
}

function Holds({ holds, height, lit }: Readonly<{ holds: HoldColumn; height: number; lit: string | null }>) {
  const isDim = (...ids: readonly string[]): boolean => lit !== null && !ids.includes(lit);
  return (
    <div className={styles['holds']} style={{ height }} aria-hidden="true">
      <svg className={styles['routes']} width={holds.width} height={height}>
        <g fill="none" strokeLinejoin="round" strokeLinecap="round" strokeWidth="3">
          {holds.chips.map((chip) => (
            <path
              key={chip.key}
              d={branchPath(chip)}
              className={chip.kind === 'held' ? styles['held'] : styles['awaited']}
              opacity={isDim(chip.commandId) ? 0.4 : 1}
            />
          ))}
          {holds.routes.map((route) => (
            <g
              key={route.key}
              opacity={isDim(route.waiter, route.holder) ? 0.4 : 1}
              className={styles['route']}
              data-route
            >
              <path d={routePath(route)} className={styles['awaited']} />
              {route.to !== null && (
                <path
                  className={styles['head']}
                  d={`M${route.to.left + route.to.width + 11} ${route.to.y - 6}l-7 6 7 6`}
                />
              )}
            </g>
          ))}
        </g>
      </svg>
      {holds.chips.map((chip) => (
        <ChipBox key={chip.key} chip={chip} isDim={isDim(chip.commandId)} />
      ))}
    </div>
  );
}

function ChipBox({ chip, isDim }: Readonly<{ chip: Chip; isDim: boolean }>) {
  return (
    <span
      className={
        chip.kind === 'awaited' ? `${styles['chip']} ${styles['later']} ${styles['awaited']}` : styles['chip']
      }
      data-chip
      style={{ left: chip.left, top: chip.y - 12, width: chip.width, opacity: isDim ? 0.4 : 1 }}
    >
      <b>{chip.shown}</b>
      {chip.access !== null && <i>{chip.access}</i>}
    </span>
  );
}

type Bar = Readonly<{ key: string; d: string; head: string }>;

/** On a phone lanes are cards: routes run along their left edge, from the waiter's to the holder's. */
function PhoneRoutes({
  holds,
  summaries,
  body,
}: Readonly<{ holds: HoldColumn; summaries: PanelLimits['commands']; body: HTMLElement | null }>) {
  const [bars, setBars] = useState<readonly Bar[]>([]);
  useLayoutEffect(() => {
    if (body === null || innerWidth > 760) return;
    const middle = (id: string): number | null => {
      const provider = summaries.get(id)?.provider;
      const card = [...body.querySelectorAll<HTMLElement>('article')].find(
        ({ dataset }) => dataset['provider'] === provider,
      );
      return card === undefined ? null : card.offsetTop + 26;
    };
    const next = holds.routes.flatMap(({ key, waiter, holder }): Bar[] => {
      const [y1, y2] = [middle(waiter), middle(holder)];
      if (y1 === null || y2 === null || y1 === y2) return [];
      const down = y2 > y1 ? 8 : -8;
      return [
        { key, d: `M20 ${y2}H16l-8 ${-down}V${y1 + down}l8 ${-down}H26`, head: `M15 ${y2 - 6}l8 6-8 6` },
      ];
    });
    // oxlint-disable-next-line react/set-state-in-effect -- the position of cards is known only after layout
    setBars((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
  }, [holds, summaries, body]);
  return (
    <svg className={styles['phone-routes']} aria-hidden="true">
      <g fill="none" strokeLinejoin="round" strokeLinecap="round" strokeWidth="3">
        {bars.map(({ key, d, head }) => (
          <g key={key}>
            <path d={d} className={styles['awaited']} />
            <path d={head} className={styles['head']} />
          </g>
        ))}
      </g>
    </svg>
  );
}
