import type { CallSubject } from '@signalbox/core/call-subject';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, refusalFrom } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';
import { DiffView } from '../parts/diff-view.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { LevelTag } from '../parts/tags.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { Code } from '../parts/with-code.tsx';
import { changedArgs } from './question.ts';
import styles from './decide-bar.module.css';

type Props = Readonly<{
  command: CommandView;
  subject: CallSubject;
  text: string;
  isOff: boolean;
  onBack: () => void;
  /** `shown`: the hash of the approval that was shown for these arguments. */
  onModify: (args: CommandView['call']['args'], shown: string) => void;
}>;

/** Focuses once, with the caret after the last letter. */
function atItsEnd(field: HTMLTextAreaElement | null): void {
  if (field === null || field.ownerDocument.activeElement === field) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** The edited call; judged again while the user types, and nothing denied can be approved. */
export function ModifyForm({ command, subject, text, isOff, onBack, onModify }: Props) {
  const [changed, setChanged] = useState(text);
  const settled = useSettled(changed);
  const [armed, setArmed] = useState<string | null>(null);
  const args = changedArgs(subject, changed, command.call.args);
  const judged = useQuery({
    queryKey: ['judge', command.id, settled],
    queryFn: () =>
      client.judgeApproval({
        id: command.id,
        args: changedArgs(subject, settled, command.call.args),
      }),
    enabled: settled !== text && settled.trim() !== '',
    retry: false,
  });
  const isJudged = judged.data !== undefined && settled === changed;
  const ruling = isJudged ? judged.data.ruling : null;
  const isDangerous = judged.data?.verdict?.level === 'dangerous';
  const isReady = isJudged && ruling?.kind !== 'deny' && !isOff;

  function approve(): void {
    const shown = judged.data?.approval?.callHash;
    if (shown === undefined) return;
    if (isDangerous && armed !== changed) setArmed(changed);
    else onModify(args, shown);
  }

  return (
    <form
      className={`${styles['bar']} ${styles['stacked']}`}
      aria-label="Modify"
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) approve();
      }}
    >
      <label className="field">
        {subject.kind === 'line' ? 'Edited line' : 'Edited text'}
        <textarea
          // The user has just requested this field, to continue at the end of the line.
          ref={atItsEnd}
          className="mono"
          spellCheck={false}
          rows={subject.kind === 'line' ? 2 : 8}
          value={changed}
          onChange={({ target }) => setChanged(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || subject.kind !== 'line') return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {changed !== text && <DiffView before={text} after={changed} path="your change" />}
      {judged.isError && <RefusalNote refusal={refusalFrom(judged.error)} />}
      <div className="actions">
        <span className="form-status" role="status">
          {changed === text && 'Edit it, or go back'}
          {changed !== text && !isJudged && !judged.isError && 'Checking…'}
          {isJudged && (
            <>
              <LevelTag level={judged.data.verdict?.level ?? null} /> {ruling?.kind} by rule{' '}
              <Code text={ruling?.rule ?? ''} />
            </>
          )}
        </span>
        <button type="button" className="btn quiet" onClick={onBack}>
          Back
        </button>
        <button type="submit" className="btn ask" disabled={!isReady}>
          {isDangerous && armed === changed
            ? 'Press again to approve the edited line'
            : 'Approve the edited line'}
        </button>
      </div>
    </form>
  );
}
