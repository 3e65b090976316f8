import { type SessionView, clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { lastSentence } from '../workspace/last-sentence.ts';
import { useNow } from '../workspace/use-now.ts';
import { Plate } from '../parts/plate.tsx';
import { Shown } from '../parts/with-code.tsx';
import { costText, countText, tokensText } from './cost-text.ts';
import { SessionState } from './session-state.tsx';
import styles from './session-card.module.css';

type Props = Readonly<{
  session: SessionView;
  isOpen: boolean;
  /** One line each, if there are many. */
  isShort: boolean;
}>;

/** One session in the list: provider, task, progress, cost. */
export function SessionCard({ session, isOpen, isShort }: Props) {
  const { id, provider, model, task, state, says, finish, message } = session;
  const notice = state === 'running' || finish === 'finished' ? lastSentence(says) : (message ?? '');
  return (
    <li>
      <a
        className={[
          styles['card'],
          ...(isOpen ? [styles['open']] : []),
          ...(isShort ? [styles['short']] : []),
        ].join(' ')}
        href={linkTo('sessions', id)}
        {...(isOpen ? { 'aria-current': 'true' } : {})}
      >
        <span className={styles['row']}>
          <Plate provider={provider} />
          <b>{provider}</b>
          {!isShort && <small>{model}</small>}
          <SessionState session={session} />
        </span>
        <span className={styles['task']}>
          <Shown text={task} layout="lines" />
        </span>
        {!isShort && notice !== '' && (
          <small className={styles['last-message']}>
            <Shown text={notice} layout="lines" />
          </small>
        )}
        {!isShort && (
          <small className="num">
            {spentText(session)}
            {state === 'running' && <RunningFor since={session.startedAt} />}
          </small>
        )}
      </a>
    </li>
  );
}

function spentText({ turns, calls, usage, costUsd }: SessionView): string {
  const cost = costUsd === null ? [] : [`${costText(costUsd)} estimated`];
  return [countText(turns, 'turn'), countText(calls, 'call'), `${tokensText(usage)} tokens`, ...cost].join(
    ' · ',
  );
}

function RunningFor({ since }: Readonly<{ since: number }>) {
  return <> · for {clockTime(useNow() - since)}</>;
}
