import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';
import { useIsLive, useMayDecide } from '../workspace/panel-store.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';

/** Whether the approval expired, and a late answer still applies to the next identical call. */
export function isAnswerable({ approval }: Pick<CommandView, 'approval'>): boolean {
  return approval?.status === 'expired' && approval.answerable === true;
}

const DECISIONS = [
  {
    operation: 'grantApproval',
    word: 'Approve the next identical call',
    done: 'Approved: its next identical call runs',
  },
  { operation: 'refuseApproval', word: 'Deny it', done: 'Denied: its next identical call is denied' },
] as const;

/** An answer after the approval expired. A dangerous call needs a second press. */
export function LateAnswer({ command }: Readonly<{ command: CommandView }>) {
  const { approval, id, verdict } = command;
  const [isLive, mayDecide] = [useIsLive(), useMayDecide()];
  const isOff = !isLive || !mayDecide;
  const queries = useQueryClient();
  const [isArmed, setArmed] = useState(false);
  const [isSending, setSending] = useState(false);
  const [notice, setNotice] = useState('');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  if (approval === null || !isAnswerable(command)) return null;
  const { callHash } = approval;
  const takesTwo = verdict?.level === 'dangerous';

  async function send({ operation, done }: (typeof DECISIONS)[number]): Promise<void> {
    if (operation === 'grantApproval' && takesTwo && !isArmed) return setArmed(true);
    setSending(true);
    setRefusal(null);
    try {
      await client[operation]({ id, callHash });
      setNotice(done);
      await queries.invalidateQueries({ queryKey: ['today'] });
    } catch (error) {
      setRefusal(refusalFrom(error));
    } finally {
      setSending(false);
      setArmed(false);
    }
  }

  return (
    <div>
      <div className="actions">
        {DECISIONS.map((decision) => (
          <button
            key={decision.operation}
            type="button"
            className={decision.operation === 'grantApproval' ? 'btn ask' : 'btn stop'}
            disabled={isOff || isSending}
            title={mayDecide ? undefined : 'Requires the approver role'}
            onBlur={() => setArmed(false)}
            onClick={() => void send(decision)}
          >
            {decision.operation === 'grantApproval' && isArmed ? 'Press again to approve it' : decision.word}
          </button>
        ))}
      </div>
      <p className="status" role="status">
        {notice}
      </p>
      {refusal !== null && <RefusalNote refusal={refusal} />}
    </div>
  );
}
