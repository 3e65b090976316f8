import {
  type Clock,
  CommandId,
  type CommandRecord,
  type EventLog,
  type Facts,
  type Files,
  Json,
  type Logger,
  StuckCommand,
} from '@signalbox/core';
import * as z from 'zod';

/** Commands whose changes are partly applied in the workspace: their claims stay held meanwhile. */
export type StuckCommands = {
  /** Retries the rollback of its files until it succeeds, then releases its claims. */
  add(record: CommandRecord, release: () => Promise<void>): Promise<void>;
  has(id: CommandId): boolean;
  /** Stops retrying; the next start continues. */
  stop(): void;
};

const KEY = 'stuck';
/** What prevents the rollback (a full disk, permissions) is fixed by people, which takes time. */
const RETRY_AFTER_MS = [5000, 10_000, 20_000, 40_000, 60_000] as const;

export function createStuckCommands(options: {
  readonly facts: Facts;
  readonly events: EventLog;
  readonly files: Pick<Files, 'takeBack'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): StuckCommands {
  const { facts, events, files, clock, logger } = options;
  const stuck = new Set<CommandId>();
  let isStopped = false;

  async function tell(id: CommandId, entry: StuckCommand | null): Promise<void> {
    for (;;) {
      const stored = await facts.get(KEY);
      const others = stuckIn(stored).filter(({ command }) => command !== id);
      const next = Json.parse(entry === null ? others : [...others, entry]);
      if (await facts.compareAndSet(KEY, { expected: stored, value: next })) return;
    }
  }

  function later(record: CommandRecord, tries: number, release: () => Promise<void>): void {
    const delayMs = RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length - 1)] ?? 60_000;
    clock.timer(delayMs, () => {
      if (isStopped) return;
      attempt(record, release).catch(async (error: unknown) => {
        logger.warn({ commandId: record.id, error }, 'files not rolled back yet');
        await reportStuck(record, error).catch((cause: unknown) =>
          logger.error({ cause }, 'stuck command not reported'),
        );
        later(record, tries + 1, release);
      });
    });
  }

  async function reportStuck({ id, endedAt }: CommandRecord, error: unknown): Promise<void> {
    const why = error instanceof Error ? [error.message, ...whyOf(error)].join(': ') : String(error);
    await tell(id, { command: id, since: endedAt ?? clock.now(), why });
  }

  async function attempt(record: CommandRecord, release: () => Promise<void>): Promise<void> {
    const { id, context, title } = record;
    await files.takeBack(id);
    stuck.delete(id);
    await release();
    await tell(id, null);
    const { sessionId, provider } = context;
    const reason = 'its files were rolled back and its resources released';
    await events.append([
      {
        type: 'command_rolled_back',
        commandId: id,
        sessionId,
        provider,
        title,
        how: 'rolled_back',
        exitCode: null,
        reason,
      },
    ]);
    logger.info({ commandId: id }, 'files rolled back after a retry');
  }

  return {
    has: (id) => stuck.has(id),
    async add(record, release) {
      stuck.add(record.id);
      later(record, 0, release);
      const why = record.result?.failure?.message ?? 'its files are partly applied';
      await tell(record.id, { command: record.id, since: clock.now(), why });
    },
    stop() {
      isStopped = true;
    },
  };
}

/** The stuck commands stored as a fact. */
export async function readStuckCommands(facts: Facts): Promise<readonly StuckCommand[]> {
  return stuckIn(await facts.get(KEY));
}

/** Call after a start has rolled back all partly applied changes. */
export async function forgetStuckCommands(facts: Facts): Promise<void> {
  if ((await readStuckCommands(facts)).length > 0) await facts.set(KEY, []);
}

function stuckIn(stored: unknown): readonly StuckCommand[] {
  return z.array(StuckCommand).safeParse(stored).data ?? [];
}

function whyOf(error: Error): readonly string[] {
  return 'why' in error && Array.isArray(error.why) ? error.why.map(String) : [];
}
