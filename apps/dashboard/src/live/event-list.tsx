import { useMemo, useState } from 'react';
import { linkTo } from '../frame/route.ts';
import { useHouse } from '../house/panel-store.ts';
import { clockText } from '../house/time-text.ts';
import { Plate } from '../parts/plate.tsx';
import { WithCode } from '../parts/with-code.tsx';
import { earlierNews, newsOf } from './news.ts';

const MOST = 120;
const KINDS = { all: 'All', trouble: 'Refused and failed', people: 'Of people' } as const;

/** What happened, newest first. No live region: only a new approval is spoken. */
export function EventList() {
  const feed = useHouse((panel) => panel.feed);
  const trains = useHouse((panel) => panel.trains);
  const [kind, setKind] = useState<keyof typeof KINDS>('all');
  // Lines of events keep the words that they came with; only what was there before the page is made anew.
  const [opened] = useState(() => earlierNews(trains, MOST));
  const items = useMemo(
    () => [...feed.map((event) => newsOf(event, trains)), ...opened].slice(0, MOST),
    // oxlint-disable-next-line react/exhaustive-deps -- names of commands that came later change no line
    [feed, opened],
  );
  const shown = items.filter(
    ({ tone }) => kind === 'all' || (kind === 'trouble' ? tone === 'stop' : tone === 'ask'),
  );
  return (
    <section className="panel feedpanel" aria-label="Events">
      <div className="ptitle">
        <h2>Events</h2>
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
      <div className="feed" role="log" aria-live="off" tabIndex={0} aria-label="Events, newest first">
        <ol>
          {shown.map(({ key, at, provider, commandId, tone, word, text }) => (
            <li key={key}>
              <time>{clockText(at)}</time>
              {provider === null ? <span /> : <Plate provider={provider} />}
              <span>
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
          ))}
        </ol>
      </div>
    </section>
  );
}
