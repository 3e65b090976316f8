import { commitHash, type CommandView, proposedMessage, type ReviewView } from '@signalbox/api';
import { failureOf } from '@signalbox/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import { linkTo } from '../frame/route.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { shortId } from '../parts/short-id.ts';
import { Code, Shown } from '../parts/with-code.tsx';
import { type FileToReview, isKept } from './review-files.ts';
import styles from './commit-form.module.css';

/** Characters shown of git's own message when a commit fails. */
const MAX_TEXT_LENGTH = 600;

const CHANGED: ApiRefusal = {
  status: 409,
  code: 'review-changed',
  title: 'Nothing committed: the review has changed since it was shown',
  why: ['A command, an undo or another commit came in between'],
  next: ['Check the current list, then commit'],
};

type Props = Readonly<{
  files: readonly FileToReview[];
  kept: ReadonlySet<string>;
  review: ReviewView;
  isOff: boolean;
  whyOff: string | undefined;
  /** Fetches the review again: whether it is still what the reader sees. */
  isCurrent: () => Promise<boolean>;
  onCommitted: (notice: ReactNode) => void;
}>;

/** Commits the kept files, or all if none is marked, by a command of the reader's own. */
export function CommitForm({ files, kept, review, isOff, whyOff, isCurrent, onCommitted }: Props) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<CommandView | ApiRefusal | null>(null);
  const marked = files.filter((one) => isKept(one, kept));
  const paths = [...new Set((marked.length > 0 ? marked : files).map(({ file }) => file.path))];
  const message = typed ?? proposedMessage(review, paths);
  const noun = paths.length === 1 ? 'file' : 'files';
  const what =
    marked.length > 0
      ? `${paths.length} kept ${noun}`
      : paths.length === 1
        ? '1 file'
        : `all ${paths.length} files`;

  async function commit(): Promise<void> {
    setSending(true);
    setProblem(null);
    try {
      if (!(await isCurrent())) {
        setProblem(CHANGED);
        return;
      }
      const command = await client.commitReview({ paths, message: message.trim() });
      const hash = commitHash(command.result?.stdout ?? '');
      if (command.result?.outcome.kind === 'completed' && hash !== null) {
        setTyped(null);
        onCommitted(<Committed command={command} hash={hash} count={`${paths.length} ${noun}`} />);
      } else setProblem(command);
      await queries.invalidateQueries({ queryKey: ['review'] });
    } catch (error) {
      setProblem(refusalFrom(error));
    } finally {
      setSending(false);
    }
  }

  return (
    <form
      className={`panel ${styles['form']}`}
      aria-label="Commit"
      onSubmit={(event) => {
        event.preventDefault();
        void commit();
      }}
    >
      <label className="field">
        Commit message
        <textarea
          rows={Math.min(6, message.split('\n').length)}
          value={message}
          maxLength={10_000}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <div className="actions">
        <button
          type="submit"
          className="btn"
          disabled={isOff || isSending || message.trim() === ''}
          title={whyOff}
        >
          {isSending ? 'Committing…' : `Commit ${what}`}
        </button>
      </div>
      <p className="dim">
        {marked.length > 0
          ? 'Commits the kept files as they are now; other staged changes are left out'
          : 'Commits all files of this list as they are now. To commit only some, keep those first'}
      </p>
      {problem !== null &&
        ('code' in problem ? <RefusalNote refusal={problem} /> : <NotCommitted command={problem} />)}
    </form>
  );
}

function Committed({
  command,
  hash,
  count,
}: Readonly<{ command: CommandView; hash: string; count: string }>) {
  return (
    <>
      Committed {count} as <code>{hash}</code>, by command{' '}
      <a href={linkTo('history', command.id)}>{shortId(command.id)}</a>
    </>
  );
}

function NotCommitted({ command }: Readonly<{ command: CommandView }>) {
  const { id, result, state } = command;
  if (result === null) {
    return (
      <p data-tone="wait" role="status">
        {state === 'awaiting_approval'
          ? 'The commit waits for another approver: '
          : 'The commit waits for a lease or a slot: '}
        <a href={linkTo(state === 'awaiting_approval' ? 'approvals' : 'history', id)}>{shortId(id)}</a>
      </p>
    );
  }
  const failure = failureOf(result.outcome);
  const notice = (result.stderr.trim() || result.stdout.trim()).slice(0, MAX_TEXT_LENGTH);
  return (
    <div data-tone="wait" role="alert">
      <p>
        Not committed: <Shown text={failure?.message ?? 'git made no commit'} />{' '}
        <a href={linkTo('history', id)}>{shortId(id)}</a>
      </p>
      {notice !== '' && (
        <p>
          <Code text={notice} />
        </p>
      )}
    </div>
  );
}
