import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import type { SessionView, TranscriptItem } from '../api/views.ts';
import { linkTo, useRoute } from '../frame/route.ts';
import { useHouse, useIsLive } from '../house/panel-store.ts';
import { clockText, durationText } from '../house/time-text.ts';
import { useNow } from '../house/use-now.ts';
import { Dialog } from '../parts/dialog.tsx';
import { EmptyTrack } from '../parts/empty-track.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code, Shown } from '../parts/with-code.tsx';

/** What each provider works on, what it cost, and what it said and called. */
export function SessionsPage() {
  const sessions = useHouse((panel) => panel.sessions);
  const { id } = useRoute();
  const all = [...sessions.values()].toSorted(
    (a, b) => Number(b.state === 'running') - Number(a.state === 'running') || b.startedAt - a.startedAt,
  );
  // Chosen once: a session that starts later takes nobody's reading away.
  const [first] = useState(() => all[0]?.id ?? null);
  const open = sessions.get(id ?? first ?? '') ?? all[0] ?? null;
  return (
    <>
      <div className="head">
        <h1>Sessions</h1>
      </div>
      {open === null ? (
        <section className="panel">
          <EmptyTrack title="No session yet">
            <p>
              Start one with <code>signalbox run</code>, or point an agent here through MCP. Calls without a
              session stand in the <a href={linkTo('history')}>history</a>
            </p>
          </EmptyTrack>
        </section>
      ) : (
        <div className="two">
          <ul className="cards" aria-label="Sessions">
            {all.map((session) => (
              <SessionCard key={session.id} session={session} isOpen={session.id === open.id} />
            ))}
          </ul>
          <Transcript key={open.id} session={open} />
        </div>
      )}
    </>
  );
}

function SessionCard({ session, isOpen }: Readonly<{ session: SessionView; isOpen: boolean }>) {
  const { id, provider, model, task, state, turns, calls, usage, costUsd } = session;
  return (
    <li>
      <a
        className={isOpen ? 'card open' : 'card'}
        href={linkTo('sessions', id)}
        {...(isOpen ? { 'aria-current': 'true' } : {})}
      >
        <span className="row">
          <Plate provider={provider} />
          <b>{provider}</b>
          <small>{model}</small>
          <SessionState session={session} />
        </span>
        <span className="task">{task}</span>
        <small className="num">
          {turns} turns · {calls} calls · {(usage.inputTokens + usage.outputTokens).toLocaleString('en')}{' '}
          tokens
          {costUsd === null ? '' : ` · $${costUsd.toFixed(2)} estimated`}
        </small>
        {state === 'running' && <RunningFor since={session.startedAt} />}
      </a>
    </li>
  );
}

function RunningFor({ since }: Readonly<{ since: number }>) {
  return <small className="num">For {durationText(useNow() - since)}</small>;
}

function SessionState({ session: { state, finish } }: Readonly<{ session: SessionView }>) {
  if (state === 'running') {
    return (
      <span className="tag run">
        <Icon name="play" />
        Running
      </span>
    );
  }
  const isGood = finish === 'finished';
  return (
    <span className={isGood ? 'tag' : 'tag stop'}>
      <Icon name={isGood ? 'check' : 'cross'} />
      {(finish ?? 'ended').replace('_', ' ')}
    </span>
  );
}

function Transcript({ session }: Readonly<{ session: SessionView }>) {
  const query = useQuery({
    queryKey: ['transcript', session.id, session.turns, session.calls, session.state],
    queryFn: () => ask<{ items: readonly TranscriptItem[] }>('GET', `/api/sessions/${session.id}/transcript`),
    placeholderData: (before) => before,
  });
  return (
    <section className="panel transcript" aria-label="Transcript">
      <div className="ptitle">
        <Plate provider={session.provider} />
        <h2 className="what">{session.task}</h2>
        <span className="spring" />
        {session.state === 'running' && <StopSession session={session} />}
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label="What it said and called">
        {query.isError && (
          <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
        )}
        {query.isPending && <Loading />}
        <ol>
          {query.data?.items.map((item, at) => (
            <Item key={at} item={item} />
          ))}
        </ol>
        {session.message !== null && session.message !== '' && <p className="pad">{session.message}</p>}
      </div>
    </section>
  );
}

function Item({ item }: Readonly<{ item: TranscriptItem }>) {
  if (item.kind === 'call') {
    const [icon, word] =
      item.success === null
        ? (['play', 'not done'] as const)
        : item.success
          ? (['check', 'completed'] as const)
          : (['cross', 'did not complete'] as const);
    return (
      <li className="call">
        <time>{clockText(item.at)}</time>
        <Icon name={icon} className={item.success === false ? 'bad' : ''} />
        <a href={linkTo('history', item.commandId)}>
          <Code text={item.tool} /> <span className="dim">{word}</span>
        </a>
      </li>
    );
  }
  return (
    <li className={item.kind}>
      <time>{clockText(item.at)}</time>
      <b>Turn {item.turn}</b>
      <p>
        <Shown text={item.kind === 'turn' ? item.says : item.message} />
      </p>
    </li>
  );
}

function StopSession({ session }: Readonly<{ session: SessionView }>) {
  const isLive = useIsLive();
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function stop(): Promise<void> {
    try {
      await ask('POST', `/api/sessions/${session.id}/stop`, {});
      setAsking(false);
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <button type="button" className="btn sm stop" disabled={!isLive} onClick={() => setAsking(true)}>
        Stop
      </button>
      <Dialog title="Stop this session?" isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>No new turns and calls. What it runs is cancelled.</p>
        {refusal !== null && <RefusalNote refusal={refusal} />}
        <div className="acts">
          <button type="button" className="btn quiet" onClick={() => setAsking(false)}>
            Keep
          </button>
          <button type="button" className="btn stop" onClick={() => void stop()}>
            Stop session
          </button>
        </div>
      </Dialog>
    </>
  );
}
