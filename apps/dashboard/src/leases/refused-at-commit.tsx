import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { lineOf } from '../workspace/command-text.ts';
import { Plate } from '../parts/plate.tsx';
import { OutcomeTag } from '../parts/tags.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { ChangedSince } from './changed-since.tsx';
import styles from './refused-at-commit.module.css';

const MAX_ROWS = 20;
/** The newest of them are open, and show what the others had changed. */
const OPEN = 3;

/** Stale writes and conflicts: another command had changed the file, so nothing was written. */
export function RefusedAtCommit() {
  const summaries = useWorkspace((panel) => panel.commands);
  const refused = [...summaries.values()].filter(({ outcome }) => outcome === 'conflict').slice(-MAX_ROWS);
  return (
    <section className="panel">
      <div className="panel-title">
        <h2>Rejected writes</h2>
      </div>
      <div className={styles['refusals']} tabIndex={0} role="region" aria-label="Rejected writes">
        {refused.length === 0 && <p className="padded dim">No conflicting writes</p>}
        {refused.toReversed().map((summary, at) => (
          <article key={summary.id} className={styles['refusal']}>
            <h3>
              <OutcomeTag summary={summary} />
              <Plate provider={summary.provider} />
              <a href={linkTo('history', summary.id)}>
                <Code text={lineOf(summary)} />
              </a>
              <time>{timeOfDay(summary.endedAt ?? summary.submittedAt)}</time>
            </h3>
            <p>
              <Shown text={summary.message ?? ''} />
            </p>
            {at < OPEN && <ChangedSince summary={summary} />}
          </article>
        ))}
      </div>
    </section>
  );
}
