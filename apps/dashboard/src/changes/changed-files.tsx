import { useState } from 'react';
import { refusalFrom } from '../api/client.ts';
import type { CommandView } from '@signalbox/api';
import { useKeys } from '../frame/keys.ts';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code } from '../parts/with-code.tsx';
import { FilePatch } from './file-patch.tsx';
import { UndoButton } from './undo-button.tsx';
import { isOfGit, useChanges } from './use-changes.ts';
import styles from './file-patch.module.css';

/** Files that a command changed: names at once, diff and undo on request. */
export function ChangedFiles({ command }: Readonly<{ command: CommandView }>) {
  const files = changedOf(command);
  const [isOpen, setOpen] = useState(false);
  const toggle = (): void => setOpen(!isOpen);
  useKeys(files.length === 0 ? {} : { d: toggle });
  if (files.length === 0) return null;
  return (
    <section className="detail-part">
      <div className="part-head">
        <h3>Changed files</h3>
        <div className="actions">
          <button type="button" className="btn sm quiet" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? 'Hide the difference' : 'Show the difference'} <kbd>D</kbd>
          </button>
          <UndoButton command={command} />
        </div>
      </div>
      {isOpen ? (
        <Patches id={command.id} />
      ) : (
        <ul className="file-list">
          {files.map(({ path, kind, linesAdded, linesRemoved }) => (
            <li key={path}>
              <span className="dim">{kind}</span> <Code text={path} />
              <span className="num">
                {linesAdded === undefined ? '' : `+${linesAdded}`}{' '}
                {linesRemoved === undefined ? '' : `−${linesRemoved}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Whether there is anything to show or undo. */
export function changedOf({ result }: Pick<CommandView, 'result'>) {
  return result?.files.filter(({ kind }) => kind !== 'read') ?? [];
}

function Patches({ id }: Readonly<{ id: string }>) {
  const changes = useChanges(id, true);
  if (changes.isError) return <RefusalNote refusal={refusalFrom(changes.error)} />;
  if (changes.data === undefined) return <Loading lines={2} />;
  return (
    <div className={`${styles['patches']} ${styles['open']}`}>
      {changes.data
        .filter((file) => !isOfGit(file))
        .map((file) => (
          <FilePatch key={file.path} file={file} direction="forth" />
        ))}
    </div>
  );
}
