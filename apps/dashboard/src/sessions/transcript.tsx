import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import { type SessionView, type TranscriptItem, duration, savingsNote, savingsText } from '@signalbox/api';
import { hasSavings } from '@signalbox/core';
import { linkTo } from '../frame/route.ts';
import { useWorkspace, useMayOperate } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Shown } from '../parts/with-code.tsx';
import { costText, countText, tokensText } from './cost-text.ts';
import { ModelText } from './model-text.tsx';
import { SessionState } from './session-state.tsx';
import { CompressSession } from './compress-session.tsx';
import { Compression } from './compression.tsx';
import { DownloadSession } from './download-session.tsx';
import { MoreTurns } from './more-turns.tsx';
import { SayToSession } from './say-to-session.tsx';
import { StopSession } from './stop-session.tsx';
import { TranscriptCall } from './transcript-call.tsx';
import styles from './transcript.module.css';

/** A session from its task to its end: turns with their calls. */
export function Transcript({ session }: Readonly<{ session: SessionView }>) {
  const { id, provider, model, task, state, turns } = session;
  const mayOperate = useMayOperate();
  // Its calls are listed after the turn that made them.
  const calls = useWorkspace(({ commands }) => callsOf(commands, id));
  const query = useQuery({
    queryKey: ['transcript', id, turns, calls, state, session.context, session.messages],
    queryFn: () => client.getTranscript({ id }),
    placeholderData: (before) => before,
  });
  const items = query.data?.items ?? [];
  const follow = useFollowedEnd(state === 'running');
  return (
    <section className={`panel ${styles['transcript']}`} aria-label="Transcript">
      <div className="panel-title">
        <Plate provider={provider} />
        <h2>{provider}</h2>
        <small className="dim">{model}</small>
        <SessionState session={session} />
        <span className="spacer" />
        <DownloadSession id={id} />
        {state === 'running' && mayOperate && (
          <>
            <CompressSession session={session} />
            <StopSession session={session} />
          </>
        )}
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label="Turns and calls" {...follow}>
        <div className={styles['task']}>
          <p>
            <Shown text={task} layout="lines" />
          </p>
          <Figures session={session} />
        </div>
        {query.isError && (
          <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
        )}
        {query.isPending && <Loading />}
        <ol className={styles['entries']}>
          {items.map((item, at) => (
            <Item key={at} item={item} />
          ))}
          {session.endedAt !== null && <End session={session} at={session.endedAt} />}
        </ol>
        {session.needsTurns && mayOperate && <MoreTurns session={session} />}
        {query.isSuccess && items.length === 0 && state === 'running' && (
          <p className="padded dim">First turn in progress</p>
        )}
      </div>
      {state === 'running' && mayOperate && <SayToSession session={session} />}
    </section>
  );
}

function callsOf(summaries: ReadonlyMap<string, { readonly sessionId: string }>, id: string): number {
  let calls = 0;
  for (const { sessionId } of summaries.values()) if (sessionId === id) calls += 1;
  return calls;
}

/** Keeps the end visible until the reader scrolls up. */
function useFollowedEnd(isGrowing: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(isGrowing);
  useLayoutEffect(() => {
    if (isGrowing && isAtEnd) ref.current?.scrollTo(0, ref.current.scrollHeight);
  });
  const onScroll = (): void => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = ref.current ?? {};
    setAtEnd(scrollTop + clientHeight >= scrollHeight - 8);
  };
  return { ref, onScroll };
}

/** Its cost so far; money only if the settings have the prices. */
function Figures({
  session: { turns, calls, context, usage, costUsd, saved },
}: Readonly<{ session: SessionView }>) {
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const fromCache = cachedInputTokens === 0 ? '' : `${cachedInputTokens.toLocaleString('en')} from its cache`;
  return (
    <dl className={styles['figures']}>
      <Figure name="Turns" value={String(turns)} />
      <Figure name="Calls" value={String(calls)} />
      <Figure
        name="Context"
        value={context.tokens.toLocaleString('en')}
        about={[
          ...(context.of === null ? [] : [`of ${context.of.toLocaleString('en')} tokens`]),
          ...(context.compressions === 0 ? [] : [`compressed ${countText(context.compressions, 'time')}`]),
        ].join(', ')}
      />
      <Figure name="Tokens in" value={inputTokens.toLocaleString('en')} about={fromCache} />
      <Figure name="Tokens out" value={outputTokens.toLocaleString('en')} />
      {hasSavings(saved) && (
        <Figure name="Saved" value={savingsText(saved).replace(/ saved$/, '')} about={savingsNote(saved)} />
      )}
      <Figure
        name="Cost"
        value={costUsd === null ? 'not known' : costText(costUsd)}
        about={costUsd === null ? 'no prices in the settings' : 'estimated'}
      />
    </dl>
  );
}

function Figure({ name, value, about = '' }: Readonly<{ name: string; value: string; about?: string }>) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">
        {value} {about !== '' && <small>{about}</small>}
      </dd>
    </div>
  );
}

function Item({ item }: Readonly<{ item: TranscriptItem }>) {
  if (item.kind === 'call') return <TranscriptCall call={item} />;
  if (item.kind === 'compression') return <Compression item={item} />;
  if (item.kind === 'message') {
    return (
      <li>
        <time>{timeOfDay(item.at)}</time>
        <span className={styles['marker']} data-tone="run">
          <Icon name="term" />
        </span>
        <div className={styles['entry']}>
          <small className="dim">
            {item.by}
            {item.interrupts ? ', instead of what it did' : ''}
          </small>
          <p>
            <Shown text={item.text} layout="lines" />
          </p>
        </div>
      </li>
    );
  }
  if (item.kind === 'restart') {
    return (
      <li>
        <time>{timeOfDay(item.at)}</time>
        <span className={styles['marker']} data-tone="run">
          <Icon name="play" />
        </span>
        <div className={styles['entry']}>
          <small className="dim">
            Continued after a restart
            {item.changed > 0 && `; others had changed ${item.changed} of the files that it had read`}
          </small>
        </div>
      </li>
    );
  }
  if (item.kind === 'trouble') {
    return (
      <li className={styles['failure']}>
        <time>{timeOfDay(item.at)}</time>
        <span className={styles['marker']} data-tone="stop">
          <Icon name="cross" />
        </span>
        <div className={styles['entry']}>
          <b>Turn {item.turn} failed</b>
          <p>
            <Shown text={item.message} />
          </p>
        </div>
      </li>
    );
  }
  const cost = item.costUsd === null ? '' : ` · ${costText(item.costUsd)}`;
  return (
    <li>
      <time>{timeOfDay(item.at)}</time>
      <span className={`${styles['marker']} ${styles['turn-number']}`}>{item.turn}</span>
      <div className={styles['entry']}>
        <small className="dim num">
          Turn {item.turn} · {tokensText(item.usage)} tokens{cost}
          {item.calls === 0 ? '' : ` · ${countText(item.calls, 'call')}`}
        </small>
        <ModelText text={item.says} />
      </div>
    </li>
  );
}

function End({ session, at }: Readonly<{ session: SessionView; at: number }>) {
  return (
    <li>
      <time>{timeOfDay(at)}</time>
      <span className={`${styles['marker']} ${styles['last']}`} />
      <div className={styles['entry']}>
        <div className={styles['headline']}>
          <SessionState session={session} />
          <small className="dim num">after {duration(at - session.startedAt)}</small>
          <a className="btn sm" href={linkTo('review', null, new URLSearchParams({ session: session.id }))}>
            Review its changes
          </a>
        </div>
        {session.message !== null && session.message !== '' && session.finish !== 'finished' && (
          <p>
            <Shown text={session.message} />
          </p>
        )}
      </div>
    </li>
  );
}
