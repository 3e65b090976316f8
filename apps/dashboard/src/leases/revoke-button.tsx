import type { Lease } from '@signalbox/core';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { useWorkspace, useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import type { CommandSummary } from '@signalbox/api';
import { StopDialog } from '../parts/stop-dialog.tsx';

/** Revokes a lease, which stops the holder's process: the resource is free only once it is dead. */
export function RevokeButton({ lease, summary }: Readonly<{ lease: Lease; summary: CommandSummary }>) {
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const isTransaction = useWorkspace(({ isolation }) => isolation === 'overlay');
  const [isAsking, setAsking] = useState(false);
  const { length } = lease.claims;

  return (
    <>
      <button
        type="button"
        className="btn sm stop"
        disabled={!isLive || !mayOperate}
        title={mayOperate ? undefined : 'Requires the operator role'}
        onClick={() => setAsking(true)}
      >
        Revoke lease…
      </button>
      <StopDialog
        summary={summary}
        title={`Revoke the lease on ${length === 1 ? '1 resource' : `${length} resources`}?`}
        action="Revoke lease"
        onStop={(reason) => client.revokeLease({ id: lease.leaseId, reason })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        This stops the command. The next in line gets the lease when its process has exited.{' '}
        {isTransaction ? 'Shell line: its changes will be discarded.' : 'Changes made so far will stay.'}
      </StopDialog>
    </>
  );
}
