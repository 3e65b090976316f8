import { useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import { useIsLive, useMayDecide } from '../workspace/panel-store.ts';
import { lineOf } from '../workspace/command-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Code } from '../parts/with-code.tsx';
import type { ApprovalGroup } from './approval-groups.ts';
import { visible } from '@signalbox/core/visible-text';
import styles from './refuse-group.module.css';

/** Denies all of a group, each shown first; approvals are given only one by one. */
export function RefuseGroup({ group, onRefused }: Readonly<{ group: ApprovalGroup; onRefused: () => void }>) {
  const isLive = useIsLive();
  const mayDecide = useMayDecide();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn sm stop"
        disabled={!isLive || !mayDecide}
        onClick={() => setOpen(true)}
      >
        Deny all {group.members.length}…
      </button>
      <Dialog
        title={`Deny ${group.members.length} calls of ${group.provider}?`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <RefuseForm
          group={group}
          onClose={() => setOpen(false)}
          onRefused={() => {
            setOpen(false);
            onRefused();
          }}
        />
      </Dialog>
    </>
  );
}

type FormProps = Readonly<{ group: ApprovalGroup; onClose: () => void; onRefused: () => void }>;

function RefuseForm({ group, onClose, onRefused }: FormProps) {
  // As of opening the form: later calls are not denied unseen.
  const [members] = useState(group.members);
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<readonly string[]>([]);

  async function refuseAll(): Promise<void> {
    setSending(true);
    const faults: string[] = [];
    for (const { command } of members) {
      const callHash = command.approval?.callHash ?? '';
      const answer = { id: command.id, callHash, ...(reason.trim() === '' ? {} : { reason }) };
      // In sequence: each is a separate answer with its own audit line.
      await client.refuseApproval(answer).catch((error: unknown) => {
        faults.push(refusalFrom(error).title);
      });
    }
    setSending(false);
    if (faults.length === 0) onRefused();
    else setFailed(faults);
  }

  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void refuseAll();
      }}
    >
      <ul className={styles['lines']} tabIndex={0} aria-label="Calls that are denied">
        {members.map(({ command }) => (
          <li key={command.id}>
            <Code text={lineOf({ tool: command.call.tool, title: command.title })} />
          </li>
        ))}
      </ul>
      <label className="field">
        Reason for {group.provider} (optional)
        <input value={reason} maxLength={2000} onChange={({ target }) => setReason(target.value)} />
      </label>
      {failed.length > 0 && (
        <div className="refusal-note" role="alert">
          <b>
            {failed.length} of {members.length} could not be denied
          </b>
          {failed.slice(0, 5).map((why, at) => (
            <p key={at}>{visible(why)}</p>
          ))}
        </div>
      )}
      <div className="actions">
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep them
        </button>
        <button type="submit" className="btn stop" disabled={isSending || failed.length > 0}>
          Deny {members.length} calls
        </button>
      </div>
    </form>
  );
}
