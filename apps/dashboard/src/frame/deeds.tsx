import type { Mode } from '@signalbox/core';
import { lazy, Suspense } from 'react';
import { CancelDialog } from '../live/cancel-dialog.tsx';
import { NewSession } from '../sessions/new-session.tsx';
import { useWorkspace } from '../workspace/panel-store.ts';
import { ModeDialog } from './mode-dialog.tsx';

/** Brings the code that draws differences, which the first page does without. */
const UndoOf = lazy(async () => ({ default: (await import('../changes/undo-button.tsx')).UndoOf }));

/** What ⌘K opens after it has closed; each asks once more before it does anything. */
export type Deed = Readonly<
  | { kind: 'new-session' }
  | { kind: 'mode'; mode: Mode }
  | { kind: 'cancel'; id: string }
  | { kind: 'undo'; id: string }
>;

export function OpenDeed({ deed, onClose }: Readonly<{ deed: Deed | null; onClose: () => void }>) {
  const train = useWorkspace(({ commands }) => (deed?.kind === 'cancel' ? commands.get(deed.id) : undefined));
  return (
    <>
      <NewSession isOpen={deed?.kind === 'new-session'} onClose={onClose} />
      <ModeDialog
        isOpen={deed?.kind === 'mode'}
        onClose={onClose}
        {...(deed?.kind === 'mode' ? { first: deed.mode } : {})}
      />
      {train !== undefined && <CancelDialog train={train} isOpen onClose={onClose} />}
      {deed?.kind === 'undo' && (
        <Suspense>
          <UndoOf id={deed.id} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}
