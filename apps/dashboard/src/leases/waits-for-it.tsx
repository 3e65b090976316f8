import { clockTime } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { lineOf } from '../workspace/command-text.ts';
import { useNow } from '../workspace/use-now.ts';
import { CancelButton } from '../live/selected-command.tsx';
import { Plate } from '../parts/plate.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './waits-for-it.module.css';

/** Commands blocked by a lease, in order of arrival, with a button to cancel one. */
export function WaitsForIt({ commandId }: Readonly<{ commandId: string }>) {
  const summaries = useWorkspace((panel) => panel.commands);
  const now = useNow();
  const waiting = [...summaries.values()]
    .filter(({ state, blockers }) => state === 'queued' && blockers.includes(commandId))
    .toSorted((a, b) => (a.queuedAt ?? 0) - (b.queuedAt ?? 0));
  if (waiting.length === 0) return <p className="status">Nothing is waiting for it</p>;
  return (
    <section className={styles['waiting']}>
      <h3>Waits for it</h3>
      <ul>
        {waiting.map((summary) => (
          <li key={summary.id}>
            <Plate provider={summary.provider} />
            <a href={linkTo('history', summary.id)}>
              <Code text={lineOf(summary)} />
            </a>
            <time>{clockTime(now - (summary.queuedAt ?? summary.submittedAt))}</time>
            <CancelButton summary={summary} />
          </li>
        ))}
      </ul>
      <p className="status">
        First come, first served: no command overtakes an earlier one that wants the same files.
      </p>
    </section>
  );
}
