import { useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import type { CommandView, WaitingApproval } from '../api/views.ts';
import { useKeys } from '../frame/keys.ts';
import { useHouse, useIsLive } from '../house/panel-store.ts';
import { durationText } from '../house/time-text.ts';
import { useNow } from '../house/use-now.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { changeableText, deedOf, type Subject } from './question.ts';
import { ModifyForm } from './modify-form.tsx';
import { RefuseForm } from './refuse-form.tsx';

type Step = 'ready' | 'armed' | 'refusing' | 'modifying' | 'sending';

type Props = Readonly<{
  waiting: WaitingApproval;
  subject: Subject;
  /** Of who looks: viewers see all and decide nothing. */
  onDecided: (said: string) => void;
}>;

/** Refuse on the left, approve on the right, never neighbours; what is dangerous needs the same press twice. */
export function DecideBar({ waiting, subject, onDecided }: Props) {
  const { command } = waiting;
  const [step, setStep] = useState<Step>('ready');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const role = useHouse(({ you }) => you.role);
  const isLive = useIsLive();
  const mayDecide = role === 'operator' || role === 'approver';
  const isOff = !isLive || !mayDecide || step === 'sending';
  const isDangerous = command.verdict?.level === 'dangerous';
  const changeable = changeableText(subject);

  async function answer(path: string, body: object, said: string): Promise<void> {
    setStep('sending');
    setRefusal(null);
    try {
      const callHash = command.approval?.callHash;
      await ask<CommandView>('POST', `/api/approvals/${command.id}/${path}`, { callHash, ...body });
      onDecided(said);
    } catch (error) {
      setRefusal(refusalFrom(error));
      setStep('ready');
    }
  }

  function approve(): void {
    if (isOff) return;
    if (isDangerous && step !== 'armed') setStep('armed');
    else void answer('grant', {}, `Approved once: ${command.title}`);
  }

  useKeys({
    a: approve,
    r: () => !isOff && setStep('refusing'),
    m: () => !isOff && changeable !== null && setStep('modifying'),
    Escape: () => setStep('ready'),
  });

  if (step === 'refusing') {
    return (
      <RefuseForm
        provider={command.context.provider}
        isOff={!isLive}
        onBack={() => setStep('ready')}
        onRefuse={(reason) =>
          void answer('refuse', reason === '' ? {} : { reason }, `Refused: ${command.title}`)
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
        onModify={(args) => void answer('modify', { args }, `Approved with your change: ${command.title}`)}
      />
    );
  }
  return (
    <div className="decide" role="group" aria-label="Decide">
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <button type="button" className="btn stop" disabled={isOff} onClick={() => setStep('refusing')}>
        Refuse <kbd>R</kbd>
      </button>
      <button
        type="button"
        className="btn"
        disabled={isOff || changeable === null}
        title={changeable === null ? 'Only shell lines and whole texts can be changed here' : undefined}
        onClick={() => setStep('modifying')}
      >
        Modify <kbd>M</kbd>
      </button>
      <Expiry command={command} hint={hintOf(step, isLive, mayDecide)} />
      <button
        type="button"
        className={step === 'armed' ? 'btn ask armed' : 'btn ask'}
        disabled={isOff}
        onClick={approve}
        onBlur={() => step === 'armed' && setStep('ready')}
      >
        {step === 'armed' ? `Press again to ${deedOf(subject)}` : 'Approve once'} <kbd>A</kbd>
      </button>
    </div>
  );
}

function hintOf(step: Step, isLive: boolean, mayDecide: boolean): string {
  if (!isLive) return 'Not connected: nothing can be decided';
  if (!mayDecide) return 'You may look, not decide';
  if (step === 'armed') return 'Escape to step back';
  return step === 'sending' ? 'Sending' : 'Refused if nobody decides';
}

function Expiry({ command: { approval }, hint }: Readonly<{ command: CommandView; hint: string }>) {
  const now = useNow();
  if (approval === null) return null;
  const left = approval.expiresAt - now;
  return (
    <div className="exp">
      <span>{hint}</span>
      {approval.approvers > 1 && (
        <span>
          {approval.grants.length} of {approval.approvers} people said yes
        </span>
      )}
      <b className={left < 60_000 ? 'soon' : ''}>
        Expires {left < 60_000 ? 'soon, ' : ''}in <time>{durationText(left)}</time>
      </b>
    </div>
  );
}
