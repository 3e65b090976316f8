import type { PersonQuestion } from '@signalbox/core';
import { type CommandView, FIVE_MINUTES_MS, type WaitingApproval } from '@signalbox/api';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { linkTo } from '../frame/route.ts';
import { Icon } from '../parts/icon.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { shortId } from '../parts/short-id.ts';
import { Shown } from '../parts/with-code.tsx';
import { useIsLive, useMayDecide } from '../workspace/panel-store.ts';
import { Expiry } from '../approvals/expiry.tsx';
import styles from '../approvals/approval-card.module.css';
import barStyles from '../approvals/decide-bar.module.css';
import questionStyles from './question-card.module.css';

/** The API's limit, in UTF-8 bytes; a longer text of fewer characters is refused with the number. */
const LONGEST_ANSWER = 4096;

type Props = Readonly<{
  waiting: WaitingApproval;
  question: PersonQuestion;
  /** Still open; otherwise `children` say how it was answered. */
  isOpen: boolean;
  onAnswered: (notice: string) => void;
  onExtended: (notice: string) => void;
  children: React.ReactNode;
}>;

/** A model's question: who asks, its text, a button for each choice, and a field for other words. */
export function QuestionCard({ waiting, question, isOpen, onAnswered, onExtended, children }: Props) {
  const { command } = waiting;
  const { provider } = command.context;
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const isLive = useIsLive();
  const mayDecide = useMayDecide();
  const isOff = !isLive || !mayDecide || isSending || !isOpen;

  async function send(
    request: (seen: Readonly<{ id: string; callHash: string }>) => Promise<CommandView>,
    then: () => void,
  ): Promise<void> {
    if (isOff) return;
    setSending(true);
    setRefusal(null);
    try {
      await request({ id: command.id, callHash: command.approval?.callHash ?? '' });
      then();
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
    setSending(false);
  }

  const answer = (words: string): void =>
    void send(
      (seen) => client.answerQuestion({ ...seen, text: words }),
      () => onAnswered(`Answered: ${words}`),
    );

  return (
    <>
      <div className={styles['sheet']} tabIndex={0} role="region" aria-label="Open question">
        <div className={styles['asker']}>
          <span className={styles['level']} data-tone="ask">
            <Icon name="diamond" />
            Question
          </span>
          <Plate provider={provider} />
          <b>{provider}</b>
          <span>asks you</span>
          <span className="dim">·</span>
          <a className="dim num" href={linkTo('history', command.id)}>
            {shortId(command.id)}
          </a>
        </div>
        <h2 className={styles['summary']} id="lede" tabIndex={-1}>
          <Shown text={question.text} />
        </h2>
        <p className="mid">
          The model wrote this question. It reads your answer as a message from you; an answer approves no
          command.
        </p>
        {question.choices.length > 0 && (
          <div className={questionStyles['choices']} role="group" aria-label="Choices">
            {question.choices.map((choice) => (
              <button
                key={choice}
                type="button"
                className="btn"
                disabled={isOff}
                onClick={() => answer(choice)}
              >
                <Shown text={choice} />
              </button>
            ))}
          </div>
        )}
        {question.allowText && (
          <form
            className={questionStyles['reply']}
            aria-label={`Answer to ${provider}`}
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim() !== '') answer(text.trim());
            }}
          >
            <label className="field">
              {question.choices.length === 0 ? 'Your answer' : 'Another answer'}
              <textarea
                rows={3}
                value={text}
                maxLength={LONGEST_ANSWER}
                onChange={({ target }) => setText(target.value)}
              />
            </label>
            <div className="actions">
              <button type="submit" className="btn ask" disabled={isOff || text.trim() === ''}>
                Send
              </button>
            </div>
          </form>
        )}
      </div>
      {isOpen ? (
        <div className={`${barStyles['bar']} ${questionStyles['bar']}`} role="group" aria-label="Decide">
          {refusal !== null && <RefusalNote refusal={refusal} />}
          <button
            type="button"
            className="btn"
            disabled={isOff}
            title="The model is told that you do not answer, and decides by itself"
            onClick={() => void send(client.refuseApproval, () => onAnswered(`Declined: ${question.text}`))}
          >
            Decline
          </button>
          <button
            type="button"
            className="btn"
            disabled={isOff}
            onClick={() =>
              void send(
                (seen) => client.extendApproval({ ...seen, ms: FIVE_MINUTES_MS }),
                () => onExtended('5 more minutes'),
              )
            }
          >
            5 more minutes
          </button>
          <Expiry command={command} hint={hintOf(isLive, mayDecide)} hasAgreed={false} />
        </div>
      ) : (
        children
      )}
    </>
  );
}

function hintOf(isLive: boolean, mayDecide: boolean): string {
  if (!isLive) return 'Disconnected: answers can’t be sent';
  return mayDecide ? 'The model waits for your answer' : 'View only: your role can’t answer';
}
