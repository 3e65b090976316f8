import type { Mode } from '@signalbox/core';
import { UndoOf } from '../changes/undo-button.tsx';
import { CancelDialog } from '../live/cancel-dialog.tsx';
import { NewSession } from '../sessions/new-session.tsx';
import { useWorkspace } from '../workspace/panel-store.ts';
import { ModeDialog } from './mode-dialog.tsx';

/** What ⌘K opens after it has closed; each asks for confirmation first. */
export type QuickAction = Readonly<
  | { kind: 'new-session' }
  | { kind: 'mode'; mode: Mode }
  | { kind: 'cancel'; id: string }
  | { kind: 'undo'; id: string }
>;

export function OpenQuickAction({
  action,
  onClose,
}: Readonly<{ action: QuickAction | null; onClose: () => void }>) {
  const summary = useWorkspace(({ commands }) =>
    action?.kind === 'cancel' ? commands.get(action.id) : undefined,
  );
  return (
    <>
      <NewSession isOpen={action?.kind === 'new-session'} onClose={onClose} />
      <ModeDialog
        isOpen={action?.kind === 'mode'}
        onClose={onClose}
        {...(action?.kind === 'mode' ? { first: action.mode } : {})}
      />
      {summary !== undefined && <CancelDialog summary={summary} isOpen onClose={onClose} />}
      {action?.kind === 'undo' && <UndoOf id={action.id} onClose={onClose} />}
    </>
  );
}
