import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { CommandView, FileDiff } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useIsLive } from '../workspace/panel-store.ts';
import { summaryOf } from '@signalbox/api';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { OutcomeTag } from '../parts/tags.tsx';
import { Code } from '../parts/with-code.tsx';
import { FilePatch } from './file-patch.tsx';
import { isOfGit, useChanges } from './use-changes.ts';
import { visible } from '@signalbox/core/visible-text';
import styles from './undo-form.module.css';
import patchStyles from './file-patch.module.css';

type Props = Readonly<{ command: CommandView; onClose: () => void }>;

/** What would be restored, file by file; then the undo, and its result. */
export function UndoForm({ command, onClose }: Props) {
  const changes = useChanges(command.id, true);
  const [undone, setUndone] = useState<CommandView | null>(null);
  if (undone !== null) return <Undone undo={undone} onClose={onClose} />;
  if (changes.isError) return <RefusalNote refusal={refusalFrom(changes.error)} />;
  if (changes.data === undefined || changes.isFetching) return <Loading />;
  return <Shown command={command} files={changes.data} onClose={onClose} onUndone={setUndone} />;
}

function Shown({
  command,
  files,
  onClose,
  onUndone,
}: Props & Readonly<{ files: readonly FileDiff[]; onUndone: (undo: CommandView) => void }>) {
  const isLive = useIsLive();
  const queries = useQueryClient();
  const [isForced, setForced] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);
  const later = files.filter(({ current }) => !current);
  const ofGit = files.filter(isOfGit).length;

  async function undo(): Promise<void> {
    setSending(true);
    setRefusal(null);
    try {
      const paths = files.map(({ path }) => path);
      onUndone(await client.undoCommand({ id: command.id, paths, force: isForced }));
      await queries.invalidateQueries({ queryKey: ['changes'] });
    } catch (error) {
      setRefusal(refusalFrom(error));
      setSending(false);
    }
  }

  return (
    <>
      <p>
        Restores the files as they were before <Code text={command.title} />, as a command of its own:
        checked, leased and recorded. It can be undone too.
      </p>
      <div className={patchStyles['patches']} tabIndex={0} role="region" aria-label="Restored files">
        {files
          .filter((file) => !isOfGit(file))
          .map((file) => (
            <FilePatch key={file.path} file={file} direction="back" />
          ))}
        {ofGit > 0 && <p className="dim">And {ofGit} of git’s own files, such as its index and refs</p>}
      </div>
      {later.length > 0 && <Later files={later} isForced={isForced} onForce={setForced} />}
      {refusal !== null && <RefusalNote refusal={refusal} />}
      <div className="actions">
        <button type="button" className="btn quiet" onClick={onClose}>
          Keep as it is
        </button>
        <button
          type="button"
          className={later.length > 0 ? 'btn stop' : 'btn ask'}
          disabled={!isLive || isSending || (later.length > 0 && !isForced)}
          onClick={() => void undo()}
        >
          {isSending ? 'Undoing' : later.length > 0 ? 'Undo and overwrite' : 'Undo'}
        </button>
      </div>
    </>
  );
}

/** What a forced undo would overwrite, and whose work that is; needs confirmation. */
function Later({
  files,
  isForced,
  onForce,
}: Readonly<{ files: readonly FileDiff[]; isForced: boolean; onForce: (on: boolean) => void }>) {
  return (
    <div className={styles['changed-since']}>
      <b>Changed again since</b>
      <p>
        {files.length === 1 ? 'This file was' : 'These files were'} written after the command ended. An undo
        is refused, unless you overwrite what came later, which is then lost:{' '}
        <Code text={files.map(({ path }) => path).join(', ')} />
      </p>
      <label className="check">
        <input type="checkbox" checked={isForced} onChange={({ target }) => onForce(target.checked)} />
        Overwrite later changes
      </label>
    </div>
  );
}

function Undone({ undo, onClose }: Readonly<{ undo: CommandView; onClose: () => void }>) {
  const { outcome } = undo.result ?? {};
  const failure = outcome === undefined || outcome.kind === 'completed' ? null : outcome.failure;
  return (
    <>
      <p role="status" className={styles['undone']}>
        <OutcomeTag summary={summaryOf(undo)} />{' '}
        {undo.result === null
          ? 'Undo is waiting for a lease or another approver'
          : failure === null
            ? 'Undone'
            : visible(failure.message)}
      </p>
      {failure?.why?.map((why) => (
        <p key={why} className="dim">
          {visible(why)}
        </p>
      ))}
      <div className="actions">
        <a className="btn quiet" href={linkTo('history', undo.id)} onClick={onClose}>
          Open the undo
        </a>
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
