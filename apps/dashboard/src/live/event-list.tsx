import type { Event } from '@signalbox/core';
import { memo, useState } from 'react';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { Plate } from '../parts/plate.tsx';
import { WithCode } from '../parts/with-code.tsx';
import type { Panel } from '../workspace/panel.ts';
import { earlierNews, type NewsItem, newsOf } from './news.ts';
import { useShortlyAfter } from './use-shortly-after.ts';

const MOST = 120;
/** Drawn while nobody scrolls: more than the panel shows. Of 200 events a second most would go before they are seen. */
const AT_THE_TOP = 24;
const KINDS = { all: 'All', trouble: 'Denied and failed', people: 'Of people' } as const;

/** Lines keep the words that they came with: names of commands that came later change none. */
const told = new WeakMap<Event, readonly NewsItem[]>();

function newsOnce(event: Event, trains: Panel['commands']): readonly NewsItem[] {
  const known = told.get(event) ?? [newsOf(event, trains)].filter((item) => item !== null);
  told.set(event, known);
  return known;
}

/** What happened, newest first. No live region: only a new approval is spoken. */
export const EventList = memo(function EventList() {
  const { feed, commands: trains } = useShortlyAfter(useWorkspace((panel) => panel));
  const [kind, setKind] = useState<keyof typeof KINDS>('all');
  const [opened] = useState(() => earlierNews(trains, MOST));
  const [isScrolled, setScrolled] = useState(false);
  const newest = [...feed.flatMap((event) => newsOnce(event, trains)), ...opened].slice(0, MOST);
  const { items, newer, hold, release } = useHeld(newest);
  const shown = items.filter(
    ({ tone }) => kind === 'all' || (kind === 'trouble' ? tone === 'stop' : tone === 'ask'),
  );
  return (
    <section className="panel feedpanel" aria-label="Events">
      <div className="ptitle">
        <h2>Events</h2>
        {newer > 0 && <span className="dim num">{newer < MOST ? newer : `${MOST} or more`} newer</span>}
        <span className="spring" />
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
        className="feed"
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
          {shown.slice(0, isScrolled ? MOST : AT_THE_TOP).map((item) => (
            <NewsRow key={item.key} item={item} />
          ))}
        </ol>
      </div>
    </section>
  );
});

/** Nothing moves under the pointer, or while the list has the focus: what comes then is counted. */
function useHeld(newest: readonly NewsItem[]) {
  const [held, setHeld] = useState<readonly NewsItem[] | null>(null);
  const first = held?.[0]?.key;
  const at = held === null ? 0 : newest.findIndex(({ key }) => key === first);
  return {
    items: held ?? newest,
    /** As many as are kept when even more came. */
    newer: at < 0 ? newest.length : at,
    hold: () => setHeld((before) => before ?? newest),
    release: () => setHeld(null),
  };
}

const NewsRow = memo(function NewsRow({ item }: Readonly<{ item: NewsItem }>) {
  const { at, provider, commandId, tone, word, text } = item;
  return (
    <li>
      <time>{timeOfDay(at)}</time>
      {provider === null ? <span /> : <Plate provider={provider} />}
      <span>
        {provider !== null && <i className="by">{provider}</i>}{' '}
        {commandId === null ? (
          <b className={tone}>{word}</b>
        ) : (
          <a href={linkTo('history', commandId)}>
            <b className={tone}>{word}</b>
          </a>
        )}{' '}
        <WithCode text={text} />
      </span>
    </li>
  );
});
