import type { Event } from '@signalbox/core';
import { memo, useState } from 'react';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { Plate } from '../parts/plate.tsx';
import { WithCode } from '../parts/with-code.tsx';
import type { Panel } from '../workspace/panel.ts';
import { earlierItems, type FeedItem, feedItemsOf } from './feed-items.ts';
import { useShortlyAfter } from './use-shortly-after.ts';
import styles from './event-list.module.css';

const MAX_EVENTS = 120;
/**
 * Rows drawn while the list is not scrolled: more than the panel shows. At 200 events a second most would be gone
 * before they are seen.
 */
const AT_THE_TOP = 24;
const KINDS = { all: 'All', trouble: 'Denied and failed', people: 'Of people' } as const;

/** Rows keep their original text: later names of commands don't change it. */
const reported = new WeakMap<Event, readonly FeedItem[]>();

function feedItemOnce(event: Event, summaries: Panel['commands']): readonly FeedItem[] {
  const known = reported.get(event) ?? [feedItemsOf(event, summaries)].filter((item) => item !== null);
  reported.set(event, known);
  return known;
}

/** Events, newest first. Not a live region: only new approvals are spoken. */
export const EventList = memo(function EventList() {
  const { feed, commands: summaries } = useShortlyAfter(useWorkspace((panel) => panel));
  const [kind, setKind] = useState<keyof typeof KINDS>('all');
  const [opened] = useState(() => earlierItems(summaries, MAX_EVENTS));
  const [isScrolled, setScrolled] = useState(false);
  const newest = [...feed.flatMap((event) => feedItemOnce(event, summaries)), ...opened].slice(0, MAX_EVENTS);
  const { items, newer, hold, release } = useHeld(newest);
  const shown = items.filter(
    ({ tone }) => kind === 'all' || (kind === 'trouble' ? tone === 'stop' : tone === 'ask'),
  );
  return (
    <section className="panel" aria-label="Events">
      <div className="panel-title">
        <h2>Events</h2>
        {newer > 0 && (
          <span className="dim num">{newer < MAX_EVENTS ? newer : `${MAX_EVENTS} or more`} newer</span>
        )}
        <span className="spacer" />
        <select
          className="btn sm quiet"
          aria-label="Which events"
          value={kind}
          onChange={({ target }) => setKind(target.value as keyof typeof KINDS)}
        >
          {Object.entries(KINDS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div
        className={styles['feed']}
        role="log"
        aria-live="off"
        tabIndex={0}
        aria-label="Events, newest first"
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && hold()}
        onPointerLeave={release}
        onFocus={({ target }) => target.matches(':focus-visible') && hold()}
        onBlur={release}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop > 0)}
      >
        <ol>
          {shown.slice(0, isScrolled ? MAX_EVENTS : AT_THE_TOP).map((item) => (
            <FeedRow key={item.key} item={item} />
          ))}
        </ol>
      </div>
    </section>
  );
});

/** Nothing moves under the pointer, or while the list has the focus: new events are counted instead. */
function useHeld(newest: readonly FeedItem[]) {
  const [held, setHeld] = useState<readonly FeedItem[] | null>(null);
  const first = held?.[0]?.key;
  const at = held === null ? 0 : newest.findIndex(({ key }) => key === first);
  return {
    items: held ?? newest,
    /** At most as many as are kept. */
    newer: at < 0 ? newest.length : at,
    hold: () => setHeld((before) => before ?? newest),
    release: () => setHeld(null),
  };
}

const FeedRow = memo(function FeedRow({ item }: Readonly<{ item: FeedItem }>) {
  const { at, provider, commandId, tone, word, text } = item;
  return (
    <li>
      <time>{timeOfDay(at)}</time>
      {provider === null ? <span /> : <Plate provider={provider} />}
      <span>
        {provider !== null && <i className={styles['by']}>{provider}</i>}{' '}
        {commandId === null ? (
          <b data-tone={tone}>{word}</b>
        ) : (
          <a href={linkTo('history', commandId)}>
            <b data-tone={tone}>{word}</b>
          </a>
        )}{' '}
        <WithCode text={text} />
      </span>
    </li>
  );
});
