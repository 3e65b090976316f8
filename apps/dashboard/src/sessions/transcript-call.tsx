import { useState } from 'react';
import { useCommand } from '../api/queries.ts';
import { type TranscriptItem, duration } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/train.ts';
import { Icon } from '../parts/icon.tsx';
import { type Look, lookOf } from '../parts/outcome-look.ts';
import { RefusedHosts } from '../parts/network-uses.tsx';
import { OutputView } from '../parts/output-view.tsx';
import { answerText, printedText } from '../parts/result-text.ts';
import { LevelTag } from '../parts/tags.tsx';
import { Code } from '../parts/with-code.tsx';

type Call = Extract<TranscriptItem, { kind: 'call' }>;

/** A call of a session in its place: what it asked for, what became of it, and, when opened, what came back. */
export function TranscriptCall({ call }: Readonly<{ call: Call }>) {
  const train = useWorkspace(({ commands }) => commands.get(call.commandId) ?? null);
  const [isOpen, setOpen] = useState(false);
  const { icon, tone, word } = lookOfCall(call, train);
  const isDone = (train?.outcome ?? call.outcome) !== null;
  return (
    <li className="call">
      <time>{timeOfDay(call.at)}</time>
      <span className={`station ${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="told">
        <div className="asked-line">
          <button type="button" className="asked" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="chev" />
            <Code text={lineOf(train ?? call)} />
          </button>
          {train?.level !== 'safe' && (
            <LevelTag level={train?.level ?? null} besides={train?.outcome ?? null} />
          )}
          <span className={`became ${tone}`}>{word}</span>
          {train !== null && <Took train={train} />}
          {train?.state === 'awaiting_approval' && (
            <a className="btn sm ask" href={linkTo('approvals', call.commandId)}>
              Review
            </a>
          )}
        </div>
        {train?.message != null && tone === 'stop' && (
          <p className="went-wrong">
            <Code text={train.message} />
          </p>
        )}
        {isOpen && <CameBack call={call} isDone={isDone} />}
      </div>
    </li>
  );
}

function lookOfCall({ outcome }: Call, train: CommandSummary | null): Look {
  if (train !== null) return lookOf(train);
  return outcome === null
    ? { icon: 'ring', word: 'Not done', tone: '' }
    : lookOf({ state: 'done', outcome, rule: null, message: null });
}

function Took({ train: { startedAt, endedAt } }: Readonly<{ train: CommandSummary }>) {
  if (startedAt === null || endedAt === null) return null;
  return <small className="num">{duration(endedAt - startedAt)}</small>;
}

/** What the provider was told; redacted, as everything here. */
function CameBack({ call: { commandId }, isDone }: Readonly<{ call: Call; isDone: boolean }>) {
  const { data: command, isError } = useCommand(commandId, isDone ? 'done' : 'alive');
  const printed = printedText(command?.result);
  const answer = printed === '' ? answerText(command?.result) : printed;
  return (
    <>
      {isError ? (
        <p className="went-wrong">No longer stored</p>
      ) : (
        <OutputView
          text={textOf(isDone, command === undefined, answer)}
          label="What came back"
          follows={false}
        />
      )}
      <RefusedHosts result={command?.result} />
      <a className="whole" href={linkTo('history', commandId)}>
        All of it: verdict, ruling, files
      </a>
    </>
  );
}

function textOf(isDone: boolean, isLoading: boolean, answer: string): string {
  if (!isDone) return 'Nothing came back yet';
  if (isLoading) return 'Loading…';
  return answer === '' ? 'Nothing came back' : answer;
}
