import type { CommandView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { lineOf } from '../workspace/command-text.ts';
import { Icon } from '../parts/icon.tsx';
import { badgeOf } from '../parts/status-badge.ts';
import { Code, Shown } from '../parts/with-code.tsx';
import styles from './approval-card.module.css';

const MAX_STEPS = 4;

/** The last calls of the same session, the model's own description, and whose session it is. */
export function CallTrail({ command }: Readonly<{ command: CommandView }>) {
  const summaries = useWorkspace((panel) => panel.commands);
  const { context, ruling } = command;
  const own = [...summaries.values()].filter(({ sessionId }) => sessionId === context.sessionId);
  const earlier = own
    .filter(({ id, submittedAt }) => id !== command.id && submittedAt <= command.submittedAt)
    .toSorted((a, b) => a.submittedAt - b.submittedAt)
    .slice(-MAX_STEPS + 1);
  const itself = own.find(({ id }) => id === command.id);
  return (
    <section>
      <h2>What led to this call</h2>
      <ol className={styles['history']}>
        {[...earlier, ...(itself === undefined ? [] : [itself])].map((summary) => {
          const badge = badgeOf(summary);
          const tone = badge.tone === 'stop' || badge.tone === 'ask' ? badge.tone : '';
          return (
            <li key={summary.id}>
              <i data-tone={tone}>
                <Icon name={badge.icon} />
              </i>
              <a
                href={linkTo('history', summary.id)}
                {...(summary.id === command.id ? { className: styles['here'] } : {})}
              >
                <Code text={lineOf(summary)} />
              </a>
              <time>
                {tone === 'stop' ? `${badge.word} ` : ''}
                {timeOfDay(summary.submittedAt)}
              </time>
            </li>
          );
        })}
      </ol>
      {context.says !== undefined && (
        <p className={styles['quote']}>
          {context.provider} says: “<Shown text={context.says} layout="lines" />”{' '}
          <span className="dim">Not checked.</span>
        </p>
      )}
      {ruling !== null && (
        <p className={`mid ${styles['ruling']}`}>
          Ruling <b>{ruling.kind}</b> by rule <Code text={ruling.rule} /> ({ruling.source}):{' '}
          <Shown text={ruling.reason} />
        </p>
      )}
    </section>
  );
}
