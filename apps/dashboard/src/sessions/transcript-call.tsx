import { ASK_PERSON } from '@signalbox/core';
import { useState } from 'react';
import { useCommand } from '../api/queries.ts';
import { type TranscriptItem, duration } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { Icon } from '../parts/icon.tsx';
import { type StatusBadge, badgeOf } from '../parts/status-badge.ts';
import { RefusedHosts } from '../parts/network-uses.tsx';
import { OutputView } from '../parts/output-view.tsx';
import { answerText, printedText } from '../parts/result-text.ts';
import { LevelTag } from '../parts/tags.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './transcript.module.css';

type Call = Extract<TranscriptItem, { kind: 'call' }>;

/** A call of a session in its place: the request, its outcome, and, when opened, its answer. */
export function TranscriptCall({ call }: Readonly<{ call: Call }>) {
  const summary = useWorkspace(({ commands }) => commands.get(call.commandId) ?? null);
  const [isOpen, setOpen] = useState(false);
  const { icon, tone, word } = badgeOfCall(call, summary);
  const isDone = (summary?.outcome ?? call.outcome) !== null;
  return (
    <li className={styles['call']}>
      <time>{timeOfDay(call.at)}</time>
      <span className={styles['marker']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['entry']}>
        <div className={styles['headline']}>
          <button
            type="button"
            className={styles['toggle']}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="chev" />
            <Code text={lineOf(summary ?? call)} />
          </button>
          {summary?.level !== 'safe' && (
            <LevelTag level={summary?.level ?? null} besides={summary?.outcome ?? null} />
          )}
          <span className={styles['outcome']} data-tone={tone}>
            {word}
          </span>
          {summary !== null && <Took summary={summary} />}
          {summary?.state === 'awaiting_approval' && (
            <a className="btn sm ask" href={linkTo('approvals', call.commandId)}>
              {summary.tool === ASK_PERSON ? 'Answer' : 'Review'}
            </a>
          )}
        </div>
        {summary?.message != null && tone === 'stop' && (
          <p className={styles['problem']}>
            <Code text={summary.message} />
          </p>
        )}
        {isOpen && <CameBack call={call} isDone={isDone} />}
      </div>
    </li>
  );
}

function badgeOfCall({ tool, outcome }: Call, summary: CommandSummary | null): StatusBadge {
  if (summary !== null) return badgeOf(summary);
  return outcome === null
    ? { icon: 'ring', word: 'Not done', tone: '' }
    : badgeOf({ state: 'done', tool, outcome, rule: null, message: null });
}

function Took({ summary: { startedAt, endedAt } }: Readonly<{ summary: CommandSummary }>) {
  if (startedAt === null || endedAt === null) return null;
  return <small className="num">{duration(endedAt - startedAt)}</small>;
}

/** The provider's answer; redacted like everything here. */
function CameBack({ call: { commandId }, isDone }: Readonly<{ call: Call; isDone: boolean }>) {
  const { data: command, isError } = useCommand(commandId, isDone ? 'done' : 'alive');
  const printed = printedText(command?.result);
  const answer = printed === '' ? answerText(command?.result) : printed;
  return (
    <>
      {isError ? (
        <p className={styles['problem']}>No longer stored</p>
      ) : (
        <OutputView text={textOf(isDone, command === undefined, { answer })} label="Result" follows={false} />
      )}
      <RefusedHosts result={command?.result} />
      <a className={styles['full-output']} href={linkTo('history', commandId)}>
        Details: verdict, ruling, files
      </a>
    </>
  );
}

function textOf(isDone: boolean, isLoading: boolean, { answer }: Readonly<{ answer: string }>): string {
  if (!isDone) return 'No result yet';
  if (isLoading) return 'Loading…';
  return answer === '' ? 'No result' : answer;
}
