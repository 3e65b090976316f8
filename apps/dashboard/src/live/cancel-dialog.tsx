import { client } from '../api/client.ts';
import type { CommandSummary } from '@signalbox/api';
import { StopDialog } from '../parts/stop-dialog.tsx';

type Props = Readonly<{ train: CommandSummary; isOpen: boolean; onClose: () => void }>;

/** Says what cancelling means for this command, and cancels it. */
export function CancelDialog({ train, isOpen, onClose }: Props) {
  return (
    <StopDialog
      train={train}
      title="Cancel this command?"
      action="Cancel command"
      onStop={(reason) => client.cancelCommand({ id: train.id, reason })}
      isOpen={isOpen}
      onClose={onClose}
    >
      {train.state === 'running' ? 'Its process will be stopped.' : 'It will not run.'} {train.provider} is
      notified.
    </StopDialog>
  );
}
