import { type CSSProperties, type FocusEvent, memo } from 'react';
import type { ProviderStatus } from '../workspace/provider-status.ts';
import type { CommandSummary } from '@signalbox/api';
import { needsAttention, lineOf } from '../workspace/command-text.ts';
import { Icon } from '../parts/icon.tsx';
import { badgeOf } from '../parts/status-badge.ts';
import { Plate } from '../parts/plate.tsx';
import { visible } from '@signalbox/core/visible-text';
import { Shown } from '../parts/with-code.tsx';
import { type LaneItem, laneNotes, type LaneLayout } from './lane-items.ts';
import { rowMiddle } from './routes.ts';
import { NextStep } from './next-step.tsx';
import { laneWords, sentenceOf, type PanelLimits } from './state-words.ts';
import styles from './lane-diagram.module.css';

export type LaneData = Readonly<{
  provider: string;
  task: string;
  height: number;
  layout: LaneLayout;
  width: number;
  /** The command to look at first; null if the provider never called. */
  first: CommandSummary | null;
  /** The provider's state while it has no unfinished command. */
  status: ProviderStatus;
  /** Number of further unfinished commands. */
  others: number;
  isSelected: boolean;
}>;

type Props = Readonly<{
  lane: LaneData;
  around: PanelLimits;
  now: number;
  lit: string | null;
  tabStop: string | null;
  onSelect: (id: string) => void;
  onLight: (id: string | null) => void;
}>;

/** Below this height, in pixels, there is no space for text below dots, and for one line about the next command. */
const ROOMY = 80;

/** One provider: its past and current commands, what it holds or waits for, and a description. */
export function Lane({ lane, ...shared }: Props) {
  const { provider, task, height, isSelected, first } = lane;
  const words = laneWords(first, lane.status, { around: shared.around, now: shared.now });
  return (
    <article
      className={[
        styles['lane'],
        ...(isSelected ? [styles['selected']] : []),
        ...(height < ROOMY ? [styles['compact']] : []),
      ].join(' ')}
      style={{ height }}
      data-provider={provider}
      data-tone={words?.tone ?? 'idle'}
      aria-label={provider}
    >
      <div className={styles['who']}>
        <Plate provider={provider} />
        <div>
          <b>{provider}</b>
          <small title={visible(task)}>
            <Shown text={task} />
          </small>
        </div>
      </div>
      <Track lane={lane} {...shared} />
      <div className={styles['hold']}>{holdsNothing(lane) && <small>Nothing until you approve</small>}</div>
      <NextStep first={first} others={lane.others} words={words} now={shared.now} />
    </article>
  );
}

function holdsNothing({ layout: { items } }: LaneData): boolean {
  const alive = items.flatMap((item) => (item.kind === 'block' ? [item.summary.state] : []));
  return alive.length > 0 && alive.every((state) => state === 'awaiting_approval');
}

function Track({ lane, around, now, lit, tabStop, onSelect, onLight }: Props) {
  const notes = lane.height < ROOMY ? [] : laneNotes(lane.layout, lane.width);
  const middle = (row: number): number => rowMiddle(lane, row);
  return (
    <div className={styles['timeline']}>
      {Array.from({ length: lane.layout.rows }, (_, row) => (
        <i key={row} className={styles['line']} style={{ top: middle(row) - 2 }} />
      ))}
      {lane.layout.items.map((item) => {
        const [summary] = item.kind === 'bead' ? item.summaries : [item.summary];
        if (summary === undefined) return null;
        return (
          <Item
            key={summary.id}
            item={item}
            summary={summary}
            top={middle(item.row)}
            label={
              item.kind === 'bead' && item.summaries.length > 1
                ? `${item.summaries.length} commands, ${needsAttention(summary) ? 'failed or denied' : 'completed'}`
                : sentenceOf(summary, now, around)
            }
            isDim={lit !== null && lit !== summary.id && summary.endedAt === null}
            isTabStop={tabStop === summary.id}
            onSelect={onSelect}
            onLight={onLight}
          />
        );
      })}
      {notes.map(({ left, text, isBad }, at) => (
        <span
          key={`${at} ${text}`}
          className={isBad ? `${styles['note']} ${styles['bad']}` : styles['note']}
          style={movedTo(left)}
        >
          {text}
        </span>
      ))}
      {lane.layout.more.length > 0 && (
        <span className={styles['more-items']}>+{lane.layout.more.length} more</span>
      )}
    </div>
  );
}

type ItemProps = Readonly<{
  item: LaneItem;
  summary: CommandSummary;
  top: number;
  label: string;
  isDim: boolean;
  isTabStop: boolean;
  onSelect: (id: string) => void;
  onLight: (id: string | null) => void;
}>;

function sameItem(a: ItemProps, b: ItemProps): boolean {
  return (
    a.summary === b.summary &&
    a.top === b.top &&
    a.item.kind === b.item.kind &&
    a.item.left === b.item.left &&
    a.label === b.label &&
    a.isDim === b.isDim &&
    a.isTabStop === b.isTabStop
  );
}

const Item = memo(function Item(props: ItemProps) {
  const { item, summary, top, label, isDim, isTabStop, onSelect, onLight } = props;
  const badge = badgeOf(summary);
  const shared = {
    type: 'button' as const,
    'data-item': summary.id,
    'aria-label': label,
    title: label,
    tabIndex: isTabStop ? 0 : -1,
    onClick: () => onSelect(summary.id),
    onPointerEnter: () => onLight(summary.endedAt === null ? summary.id : null),
    onPointerLeave: () => onLight(null),
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      // Only by keyboard: after a click the others would stay dim.
      if (summary.endedAt === null && currentTarget.matches(':focus-visible')) onLight(summary.id);
    },
    onBlur: () => onLight(null),
  };
  if (item.kind === 'bead') {
    const isMany = item.summaries.length > 1;
    return (
      <button
        {...shared}
        className={dotClass(badge.tone, false)}
        style={{ ...movedTo(item.left), top: top - 10 }}
      >
        {isMany ? item.summaries.length : <Icon name={badge.icon} />}
      </button>
    );
  }
  if (item.kind === 'pill') {
    return (
      <button
        {...shared}
        className={dotClass(badge.tone, true)}
        style={{ ...movedTo(item.left), top: top - 10, width: item.width }}
      >
        <Icon name={badge.icon} />
        <span>{lineOf(summary)}</span>
      </button>
    );
  }
  const tone = badge.tone === '' ? 'judged' : badge.tone;
  return (
    <>
      <button
        {...shared}
        className={isDim ? `${styles['block']} ${styles['dimmed']}` : styles['block']}
        data-tone={tone}
        style={{ left: item.left, top: top - 17 }}
      >
        {tone !== 'ask' && <Icon name={badge.icon} />}
        <span>{lineOf(summary)}</span>
      </button>
      {tone === 'wait' && <i className={styles['stop-line']} style={{ top: top - 22 }} />}
      {tone === 'ask' && <Gate top={top - 16} />}
    </>
  );
}, sameItem);

/** Things that move each second are moved by the compositor, without a new layout. */
function movedTo(left: number): CSSProperties {
  return { left: 0, translate: `${left}px` };
}

function dotClass(tone: string, isWide: boolean): string {
  return [
    styles['dot'],
    ...(isWide ? [styles['wide']] : []),
    ...(tone === 'stop' ? [styles['bad']] : []),
  ].join(' ');
}

function Gate({ top }: Readonly<{ top: number }>) {
  return (
    <svg className={styles['approval-mark']} style={{ top }} viewBox="0 0 26 28" aria-hidden="true">
      <path
        d="M13 1 25 14 13 27 1 14z"
        fill="var(--color-ask-solid)"
        stroke="var(--color-panel)"
        strokeWidth="2"
        paintOrder="stroke"
      />
      <path d="M13 8v7.5M13 19.5v.01" stroke="var(--color-on-ask)" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}
