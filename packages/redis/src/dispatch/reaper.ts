import { type Clock, type CommandId, type Logger, type NodeRecord, UnavailableError } from '@signalbox/core';
import type { RedisConnection } from '../connection/connection.ts';
import type { RedisNodes } from '../nodes.ts';
import * as scripts from './execution-scripts.ts';
import { POLL_AGAIN_MS, type PresenceProbe } from './presence-probe.ts';

/**
 * Detects when nothing is left of killed members on this machine, so that their claims are free before their leases
 * would end.
 */
export type Reaper = {
  /** Whether nothing is left of a command led by a coordinator whose process has ended. */
  isOver(command: CommandId, coordinator: NodeRecord): Promise<boolean>;
  stop(): void;
};

/**
 * Reports executions begun by killed workers as reaped, each once nothing of it is left. Any member may do this, and
 * several may do it at once.
 */
export function createReaper(options: {
  readonly connection: RedisConnection;
  readonly members: Pick<RedisNodes, 'onEnded'>;
  readonly presenceProbe: PresenceProbe;
  readonly clock: Clock;
  readonly logger: Logger;
}): Reaper {
  const { connection, members, presenceProbe, clock, logger } = options;
  const stopping = new AbortController();
  const unlisten = members.onEnded((member) => {
    if (member.kind === 'worker') void reapAll(member);
  });

  async function reapAll(worker: NodeRecord): Promise<void> {
    try {
      if (!(await presenceProbe.sees(worker))) return;
      while (!stopping.signal.aborted && !(await reapOnce(worker)))
        await new Promise<void>((resolve) => clock.timer(POLL_AGAIN_MS, resolve));
    } catch (error) {
      logger.warn(
        { worker: worker.id, error },
        'executions of a killed worker not checked; leases end by themselves',
      );
    }
  }

  /** Returns whether every execution it had begun is settled. */
  async function reapOnce({ id: worker }: NodeRecord): Promise<boolean> {
    try {
      const begun = await connection.run(scripts.begunBy, worker);
      const gone = begun.filter(({ commandId }) => presenceProbe.isGone(commandId));
      for (const { id, commandId, fence } of gone) {
        const reply = await connection.run(scripts.reap, { id, worker, fence });
        if (reply === 'reaped') logger.info({ id, commandId, worker }, 'execution of a killed worker reaped');
      }
      return gone.length === begun.length;
    } catch (error) {
      if (error instanceof UnavailableError) return false;
      throw error;
    }
  }

  return {
    async isOver(commandId, coordinator) {
      const { id: owner } = coordinator;
      if (!(await presenceProbe.sees(coordinator))) return false;
      // Asked first: this also prevents a worker from beginning it from now on.
      if ((await connection.run(scripts.over, { owner, commandId })) === 'running') return false;
      return presenceProbe.isGone(commandId);
    },
    stop() {
      stopping.abort();
      unlisten();
    },
  };
}
