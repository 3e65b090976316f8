import { client } from '../api/client.ts';
import type { CommandSummary } from '@signalbox/api';
import { StopDialog } from '../parts/stop-dialog.tsx';

type Props = Readonly<{ summary: CommandSummary; isOpen: boolean; onClose: () => void }>;

/** Says what cancelling means for this command, and cancels it. */
export function CancelDialog({ summary, isOpen, onClose }: Props) {
  return (
    <StopDialog
      summary={summary}
      title="Cancel this command?"
      action="Cancel command"
      onStop={(reason) => client.cancelCommand({ id: summary.id, reason })}
      isOpen={isOpen}
      onClose={onClose}
    >
      {summary.state === 'running' ? 'Its process will be stopped.' : 'It will not run.'} {summary.provider}{' '}
      is notified.
    </StopDialog>
  );
}
