import { type CommandSummary, clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { unquoted } from '../parts/quoted.ts';
import { type LightState, StatusLight } from '../parts/status-light.tsx';
import { WithCode } from '../parts/with-code.tsx';
import { lineOf } from '../workspace/command-text.ts';
import type { StateWords } from './state-words.ts';
import styles from './lane-diagram.module.css';

/** What the provider does next, or waits for. */
export function NextStep({
  first,
  others,
  words,
  now,
}: Readonly<{ first: CommandSummary | null; others: number; words: StateWords | null; now: number }>) {
  if (words === null) {
    return (
      <div className={styles['state']}>
        <StatusLight state="dark" />
        <p>No call yet</p>
      </div>
    );
  }
  const alive = first?.endedAt === null ? first : null;
  return (
    <div className={styles['state']}>
      <StatusLight state={LIGHT_OF[words.tone]} />
      <div>
        <h2>
          <span data-tone={words.tone}>{words.title}</span>
          {words.since !== null && <time>{clockTime(now - words.since)}</time>}
        </h2>
        {alive !== null && <p className={`${styles['phone-only']} ${styles['command']}`}>{lineOf(alive)}</p>}
        {words.lines.map((line) => (
          <p key={line} title={unquoted(line)}>
            <WithCode text={line} />
          </p>
        ))}
        {others > 0 && <p>And {others} more</p>}
      </div>
      {words.tone === 'ask' && alive !== null && (
        <a className="btn sm ask" href={linkTo('approvals', alive.id)}>
          Review <span className="sr">{lineOf(alive)}</span>
        </a>
      )}
    </div>
  );
}

const LIGHT_OF: Readonly<Record<StateWords['tone'], LightState>> = {
  run: 'clear',
  wait: 'stop',
  ask: 'person',
  idle: 'dark',
};
