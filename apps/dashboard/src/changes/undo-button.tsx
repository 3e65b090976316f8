import { useState } from 'react';
import { useIsLive, useMayOperate } from '../house/panel-store.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { CommandView } from '@signalbox/api';
import { UndoForm } from './undo-form.tsx';

/** Takes a command back, after showing what that puts back. */
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
      <Dialog title="Take back what it changed?" isOpen={isOpen} isWide onClose={() => setOpen(false)}>
        <UndoForm command={command} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
