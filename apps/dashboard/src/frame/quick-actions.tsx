import type { Mode } from '@signalbox/core';
import { lazy, Suspense } from 'react';
import { CancelDialog } from '../live/cancel-dialog.tsx';
import { NewSession } from '../sessions/new-session.tsx';
import { useWorkspace } from '../workspace/panel-store.ts';
import { ModeDialog } from './mode-dialog.tsx';

/** Loads the code that draws diffs, which the first page does without. */
const UndoOf = lazy(async () => ({ default: (await import('../changes/undo-button.tsx')).UndoOf }));

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
      {action?.kind === 'undo' && (
        <Suspense>
          <UndoOf id={action.id} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}
