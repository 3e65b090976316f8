import { useState } from 'react';
import type { SessionView } from '@signalbox/api';
import { linkTo, useRoute } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { costText, tokensText } from './cost-text.ts';
import { NewSessionButton } from './new-session.tsx';
import { SessionCard } from './session-card.tsx';
import { Transcript } from './transcript.tsx';
import styles from './sessions-page.module.css';

/** Further ones are listed with one line each. */
const MAX_CARDS = 12;

/** Each provider's task, cost, words and calls. */
export function SessionsPage() {
  const sessions = useWorkspace((panel) => panel.sessions);
  const { id } = useRoute();
  const all = [...sessions.values()].toSorted(
    (a, b) => Number(b.state === 'running') - Number(a.state === 'running') || b.startedAt - a.startedAt,
  );
  // Selected once: a session that starts later does not replace the open one.
  const [first] = useState(() => all[0]?.id ?? null);
  const open = sessions.get(id ?? first ?? '') ?? all[0] ?? null;
  return (
    <>
      <div className="page-head">
        <h1>Sessions</h1>
        {open !== null && <Totals sessions={all} />}
        <span className="spacer" />
        <NewSessionButton />
      </div>
      {open === null ? (
        <section className="panel">
          <EmptyLane title="No sessions yet">
            <p>
              Start one with <code>signalbox run</code>, or point an agent here through MCP. Calls without a
              session are in the <a href={linkTo('history')}>history</a>
            </p>
          </EmptyLane>
        </section>
      ) : (
        <div className="two-columns">
          <ul className={styles['cards']} aria-label="Sessions">
            {all.map((session) => (
              <SessionCard
                key={session.id}
                session={session}
                isOpen={session.id === open.id}
                isShort={all.length > MAX_CARDS}
              />
            ))}
          </ul>
          <Transcript key={open.id} session={open} />
        </div>
      )}
    </>
  );
}

/** Of all sessions that this server has led; cost for those with known prices. */
function Totals({ sessions }: Readonly<{ sessions: readonly SessionView[] }>) {
  const running = sessions.filter(({ state }) => state === 'running').length;
  const usage = sessions.reduce(
    (sum, { usage: { inputTokens, outputTokens } }) => ({
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
    }),
    { inputTokens: 0, outputTokens: 0 },
  );
  const known = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  const cost = known.reduce((sum, costUsd) => sum + costUsd, 0);
  return (
    <div className="page-counts">
      <span>
        <b>{running}</b> running
      </span>
      <span>
        <b>{sessions.length - running}</b> ended
      </span>
      <span>
        <b>{tokensText(usage)}</b> tokens
      </span>
      {known.length > 0 && (
        <span>
          <b>{costText(cost)}</b> estimated
        </span>
      )}
    </div>
  );
}
