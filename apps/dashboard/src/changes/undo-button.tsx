import type { CommandView } from '@signalbox/api';
import { useState } from 'react';
import { refusalFrom } from '../api/client.ts';
import { useCommand } from '../api/queries.ts';
import { useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { UndoForm } from './undo-form.tsx';

const TITLE = 'Undo its file changes?';

/** Undoes a command, after showing what that restores. */
export function UndoButton({ command }: Readonly<{ command: CommandView }>) {
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="btn sm"
        disabled={!isLive || !mayOperate}
        title={mayOperate ? undefined : 'Requires the operator role'}
        onClick={() => setOpen(true)}
      >
        Undo…
      </button>
      <Dialog title={TITLE} isOpen={isOpen} isWide onClose={() => setOpen(false)}>
        <UndoForm command={command} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** The same, open, for a command that the page does not show. */
export function UndoOf({ id, onClose }: Readonly<{ id: string; onClose: () => void }>) {
  const command = useCommand(id, 'done');
  return (
    <Dialog title={TITLE} isOpen isWide onClose={onClose}>
      {command.isError ? (
        <RefusalNote refusal={refusalFrom(command.error)} />
      ) : command.data === undefined ? (
        <Loading />
      ) : (
        <UndoForm command={command.data} onClose={onClose} />
      )}
    </Dialog>
  );
}
