import type { CallSubject } from '@signalbox/core/call-subject';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { type CommandView, FIVE_MINUTES_MS, type WaitingApproval } from '@signalbox/api';
import { useKeys } from '../frame/keys.ts';
import { useWorkspace, useIsLive, useMayDecide } from '../workspace/panel-store.ts';
import { lineOf } from '../workspace/command-text.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { changeableText, verbOf } from './question.ts';
import { Expiry } from './expiry.tsx';
import { ModifyForm } from './modify-form.tsx';
import { MoreActions } from './more-actions.tsx';
import { RefuseForm } from './refuse-form.tsx';
import { RememberForm } from './remember-form.tsx';
import { useReadable } from './use-readable.ts';
import styles from './decide-bar.module.css';

type Step = 'ready' | 'armed' | 'refusing' | 'modifying' | 'remembering' | 'sending';

type Props = Readonly<{
  waiting: WaitingApproval;
  subject: CallSubject;
  onDecided: (notice: string) => void;
  /** The approval is still pending: one more approver is needed, or it got more time. */
  onCounted: (notice: string) => void;
}>;

/**
 * Deny on the left, approve on the right, never adjacent; a dangerous call needs a second press. On a phone the actions
 * in between are behind one button.
 */
export function DecideBar({ waiting, subject, onDecided, onCounted }: Props) {
  const { command } = waiting;
  const [step, setStep] = useState<Step>('ready');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const you = useWorkspace((panel) => panel.you);
  const isLive = useIsLive();
  const mayDecide = useMayDecide();
  const isOff = !isLive || !mayDecide || step === 'sending';
  const hasAgreed = command.approval?.grants.some(({ by }) => by.name === you.name) === true;
  const mayAgree = !isOff && !hasAgreed;
  const isReadable = useReadable();
  const mayApprove = mayAgree && isReadable;
  const isDangerous = command.verdict?.level === 'dangerous';
  const changeable = changeableText(subject);
  const line = lineOf({ tool: command.call.tool, title: command.title });

  async function answer(
    send: (seen: Readonly<{ id: string; callHash: string }>) => Promise<CommandView>,
    then: (after: CommandView) => void,
  ): Promise<void> {
    setStep('sending');
    setRefusal(null);
    try {
      then(await send({ id: command.id, callHash: command.approval?.callHash ?? '' }));
    } catch (error) {
      setRefusal(refusalFrom(error));
      setStep('ready');
    }
  }

  const answered = (notice: string) => (after: CommandView) => {
    if (after.state !== 'awaiting_approval') {
      onDecided(notice);
      return;
    }
    continueDeciding('Your approval is recorded; one more approver is needed');
  };

  function continueDeciding(notice: string): void {
    setStep('ready');
    onCounted(notice);
  }

  function giveTime(): void {
    if (!isOff)
      void answer(
        (seen) => client.extendApproval({ ...seen, ms: FIVE_MINUTES_MS }),
        () => continueDeciding(`5 more minutes: ${line}`),
      );
  }

  function approve(): void {
    if (!mayApprove) return;
    if (isDangerous && step !== 'armed') setStep('armed');
    else void answer(client.grantApproval, answered(`Approved once: ${line}`));
  }

  useKeys({
    a: approve,
    d: () => !isOff && setStep('refusing'),
    m: () => !isOff && changeable !== null && setStep('modifying'),
    l: () => mayAgree && !isDangerous && setStep('remembering'),
    '+': giveTime,
    Escape: () => setStep('ready'),
  });

  if (step === 'refusing') {
    return (
      <RefuseForm
        provider={command.context.provider}
        isOff={!isLive}
        onBack={() => setStep('ready')}
        onRefuse={(reason) =>
          void answer(
            (seen) => client.refuseApproval({ ...seen, ...(reason === '' ? {} : { reason }) }),
            answered(`Denied: ${line}`),
          )
        }
      />
    );
  }
  if (step === 'modifying' && changeable !== null) {
    return (
      <ModifyForm
        command={command}
        subject={subject}
        text={changeable}
        isOff={!isLive}
        onBack={() => setStep('ready')}
        onModify={(args, shown) =>
          void answer(
            (seen) => client.modifyApproval({ ...seen, args, shown }),
            answered(`Approved with your change: ${line}`),
          )
        }
      />
    );
  }
  if (step === 'remembering') {
    return (
      <RememberForm
        command={command}
        isOff={!isLive}
        onBack={() => setStep('ready')}
        onRemembered={(after, notice) => answered(notice)(after)}
      />
    );
  }
  return (
    <div className={styles['bar']} role="group" aria-label="Decide">
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <button type="button" className="btn stop" disabled={isOff} onClick={() => setStep('refusing')}>
        Deny <kbd>D</kbd>
      </button>
      <button
        type="button"
        className={`btn ${styles['wide-only']}`}
        disabled={isOff || changeable === null}
        title={changeable === null ? 'Only shell lines and whole texts can be edited here' : undefined}
        onClick={() => setStep('modifying')}
      >
        Modify <kbd>M</kbd>
      </button>
      <button type="button" className={`btn ${styles['wide-only']}`} disabled={isOff} onClick={giveTime}>
        5 more minutes <kbd>+</kbd>
      </button>
      <Expiry command={command} hint={hintOf(step, { isLive, mayDecide })} hasAgreed={hasAgreed} />
      {!isDangerous && (
        <button
          type="button"
          className={`btn ${styles['wide-only']} ${styles['always']}`}
          disabled={!mayAgree}
          title="Save a rule for calls like this one"
          onClick={() => setStep('remembering')}
        >
          Always… <kbd>L</kbd>
        </button>
      )}
      <MoreActions>
        {(close) => (
          <>
            <button
              type="button"
              className="btn quiet"
              disabled={isOff || changeable === null}
              onClick={() => {
                close();
                setStep('modifying');
              }}
            >
              Modify
            </button>
            {!isDangerous && (
              <button
                type="button"
                className="btn quiet"
                disabled={!mayAgree}
                onClick={() => {
                  close();
                  setStep('remembering');
                }}
              >
                Always…
              </button>
            )}
            <button
              type="button"
              className="btn quiet"
              disabled={isOff}
              onClick={() => {
                close();
                giveTime();
              }}
            >
              5 more minutes
            </button>
          </>
        )}
      </MoreActions>
      <button
        type="button"
        className={[
          'btn ask',
          ...(step === 'armed' ? [styles['armed']] : []),
          ...(isReadable ? [] : [styles['fresh']]),
        ].join(' ')}
        disabled={!mayApprove}
        onClick={approve}
        onBlur={() => step === 'armed' && setStep('ready')}
      >
        {step === 'armed' ? `Press again to ${verbOf(subject)}` : 'Approve'} <kbd>A</kbd>
      </button>
    </div>
  );
}

function hintOf(
  step: Step,
  { isLive, mayDecide }: Readonly<{ isLive: boolean; mayDecide: boolean }>,
): string {
  if (!isLive) return 'Disconnected: answers can’t be sent';
  if (!mayDecide) return 'View only: your role can’t approve';
  if (step === 'armed') return 'Escape or a click elsewhere goes back';
  return step === 'sending' ? 'Sending' : 'Runs only if you approve';
}
