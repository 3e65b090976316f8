import {
  causeOfExit,
  type Execution,
  type Failure,
  findUnavailable,
  LeaseLostError,
  type Outcome,
  SandboxError,
  StaleWriteError,
  ToolFailure,
  type UnavailableError,
} from '@signalbox/core';
import { killedForLimit, killedForTime, limitText, raiseAny, type SettingOf } from './limit-words.ts';
import { offlineLines } from './offline-lines.ts';

/** Why we ended a running command ourselves. */
export type Interruption =
  | { readonly kind: 'cancelled'; readonly by: string; readonly reason: string }
  | { readonly kind: 'lease-lost' }
  | { readonly kind: 'timed_out'; readonly timeoutMs: number };

/** The outcome of a command whose handler has answered. */
export function outcomeOfAnswer(
  execution: Execution | undefined,
  interruption: Interruption | undefined,
  setting: SettingOf = {},
): Outcome {
  // Whatever the answer, others may have changed the files it worked on.
  if (interruption?.kind === 'lease-lost') return outcomeOfInterruption(interruption, setting);
  if (execution === undefined) return { kind: 'completed' };
  const { ended, reruns, answered, rolledBack = false, limitsReached = [] } = execution;
  const offline = offlineLines(execution);
  switch (ended.kind) {
    case 'exited': {
      if (ended.exitCode === 0 || answered === true) return { kind: 'completed' };
      const cause = causeOfExit(ended.exitCode, execution.stderr.text);
      const isFutile = cause.category === 'NetworkError' && !hadNetwork(execution);
      return failed({
        code: 'exit-code',
        category: cause.category,
        message: `Exit code ${ended.exitCode}${rolledBack ? '; its file changes were discarded' : ''}`,
        suggestion:
          raiseAny(limitsReached, setting) ??
          (isFutile ? NO_NETWORK : cause.suggestion) ??
          'Read its output below',
        ...(isFutile ? { retryable: false } : {}),
        ...toWhy([...limitsReached.map((hit) => `limit reached: ${limitText(hit, setting)}`), ...offline]),
        visibility: 'visible',
      });
    }
    case 'signalled':
      return failed({
        code: 'signalled',
        category: 'PermanentFailure',
        message: `Killed by signal ${ended.signal}${rolledBack ? '; its file changes were discarded' : ''}`,
        ...(rolledBack
          ? { suggestion: 'Its files may be incomplete; tools.shell.keep_on_signal keeps them' }
          : {}),
        ...toWhy(offline),
        visibility: 'visible',
      });
    case 'limited':
      return failed(
        killedForLimit(
          ended.limit,
          limitsReached.find(({ limit }) => limit === ended.limit),
          setting,
        ),
      );
    case 'conflict':
      return {
        kind: 'conflict',
        failure: {
          code: 'commit-conflict',
          category: 'InvalidParameters',
          message: `Others changed the same files while the command ran; none of its changes were applied${
            reruns === undefined ? '' : `, though it ran ${reruns + 1} times`
          }`,
          suggestion:
            reruns === undefined
              ? 'Read those files again, then run the command again'
              : 'Others keep changing these files: wait until they have finished, then run the command again',
          why: ended.why,
          visibility: 'visible',
        },
      };
    case 'refused':
      return failed({
        code: ended.code ?? 'commit-refused',
        category: 'PolicyBlocked',
        message: REFUSED[ended.code ?? 'commit-refused'],
        suggestion:
          ended.code === 'quarantined'
            ? 'Write such a file with a call that names it, so that the user is asked'
            : 'Do it without writing there',
        why: ended.why,
        visibility: 'visible',
      });
    case 'rollback_failed':
      return failed({
        code: 'rollback_failed',
        category: 'PermanentFailure',
        message: 'Some changes of the command were applied and could not be rolled back',
        suggestion: 'Stop, and tell the user to check the workspace and to start Signalbox again',
        why: ended.why,
        visibility: 'visible',
      });
    case 'timed_out':
      return {
        kind: 'timed_out',
        failure: { ...killedForTime(ended.timeoutMs, setting), ...toWhy(offline) },
      };
    case 'stopped':
      return interruption === undefined
        ? cancelled('signalbox', ended.why ?? 'it was stopped')
        : outcomeOfInterruption(interruption, setting);
  }
}

const NO_NETWORK = 'It ran without network: do it without a server, or ask the user to allow the host';

/** Whether a server could have been reached at all: through the gate, or unwatched. */
function hadNetwork({ network, isolation, connectionAttempts }: Execution): boolean {
  return connectionAttempts === undefined && (network !== undefined || isolation.net.strength === 'off');
}

function toWhy(why: readonly string[]): Pick<Failure, 'why'> {
  return why.length === 0 ? {} : { why };
}

const LEASE_LOST = 'it lost its lease while it ran and was stopped';

/** The outcome of a command whose handler threw. */
export function outcomeOfError(
  error: unknown,
  interruption: Interruption | undefined,
  setting: SettingOf = {},
): Outcome {
  if (error instanceof LeaseLostError) return lost(error.why[0] ?? LEASE_LOST);
  if (interruption !== undefined) return outcomeOfInterruption(interruption, setting);
  if (error instanceof StaleWriteError) {
    return {
      kind: 'conflict',
      failure: {
        code: error.code,
        category: 'InvalidParameters',
        message: error.message,
        suggestion: 'Read the file again and redo your change on the new text',
        visibility: 'visible',
      },
    };
  }
  if (error instanceof ToolFailure) {
    const failure = error.toFailure();
    return failure.code === 'stale-write' ? { kind: 'conflict', failure } : failed(failure);
  }
  const away = findUnavailable(error);
  if (away !== undefined) return unavailable(away);
  if (error instanceof SandboxError) {
    return failed({
      code: error.code,
      category: 'PermanentFailure',
      message: error.message,
      suggestion:
        error.code === 'sandbox_error' ? 'Tell the user to run: signalbox doctor' : suggestionOf(error),
      ...(error.why.length === 0 ? {} : { why: error.why }),
      visibility: 'visible',
    });
  }
  return collapsed(error);
}

function suggestionOf({
  next: [step = 'Change what the line names or writes, or ask the user'],
}: SandboxError): string {
  return step === 'signalbox doctor' ? 'Tell the user to run: signalbox doctor' : step;
}

/** For a bug or an internal failure: hidden from the model, reported in log and audit (V3, X-16). */
export function collapsed(cause: unknown): Outcome {
  return failed({
    code: 'internal',
    category: 'PermanentFailure',
    message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
    visibility: 'hidden',
  });
}

/** For a dependency that is away or full: not a bug, and not hidden from the model. */
export function unavailable({ code, message, why, next }: UnavailableError): Outcome {
  return failed({
    code,
    category: 'ServerError',
    message,
    suggestion: next[0] ?? 'Try again later',
    why,
    visibility: 'visible',
  });
}

export function denial(ruling: {
  readonly outcome: 'denied' | 'blocked';
  readonly failure: Failure;
}): Outcome {
  return { kind: ruling.outcome, failure: ruling.failure };
}

export function cancelled(by: string, reason: string): Outcome {
  return {
    kind: 'cancelled',
    failure: {
      code: 'cancelled',
      category: 'Cancelled',
      message: `Cancelled by ${by}: ${reason}`,
      visibility: 'visible',
    },
  };
}

/** For a command whose effects are unknown. */
export function lost(why: string): Outcome {
  return {
    kind: 'lost',
    failure: {
      code: 'lost',
      category: 'PermanentFailure',
      message: `Outcome unknown: ${why}`,
      suggestion: 'Check the files first; Signalbox never re-runs a lost command',
      visibility: 'visible',
    },
  };
}

export function outcomeOfInterruption(interruption: Interruption, setting: SettingOf = {}): Outcome {
  switch (interruption.kind) {
    case 'cancelled':
      return cancelled(interruption.by, interruption.reason);
    case 'timed_out':
      return timedOut(interruption.timeoutMs, setting);
    case 'lease-lost':
      return lost(LEASE_LOST);
  }
}

function timedOut(timeoutMs: number, setting: SettingOf): Outcome {
  return { kind: 'timed_out', failure: killedForTime(timeoutMs, setting) };
}

function failed(failure: Failure): Outcome {
  return { kind: 'failed', failure };
}

const REFUSED = {
  'commit-refused': 'The command made forbidden changes; none of its changes were applied',
  snapshot_failed: 'The command replaced too much to keep a copy for undo; none of its changes were applied',
  quarantined:
    'The command wrote files that programs outside the sandbox run or read as settings: those were reverted, its other changes stay',
} as const;
