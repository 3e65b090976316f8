import {
  ASK_PERSON,
  claimsConflict,
  type Clock,
  type CommandRecord,
  type Effect,
  type Executor,
  type Files,
  type Inspector,
  type Outcome,
  type PublishedStatus,
  type ReadHashes,
  type SessionId,
  type Settings,
  ToolFailure,
  type ToolRegistry,
  type WorkspaceLines,
} from '@signalbox/core';
import type { Policy } from '@signalbox/policy';
import { sizedFiles } from '../../execution/sized-files.ts';
import { narrowedFiles } from '../../execution/narrowed-files.ts';
import { readHashesOfCall } from '../../execution/read-hashes-of-call.ts';
import { confinementOf, type createDenials } from '../../judging/confinement-of.ts';
import { questionObstacle } from './question-obstacle.ts';
import type { NoEffect } from './without-effect.ts';
import { lineWithoutEffect } from './line-without-effect.ts';
import { outcomeOfError } from '../outcome/outcome-of.ts';

/** A command that was submitted before. */
export type EarlierCommand = {
  record(): CommandRecord;
  readonly resting: Promise<PublishedStatus>;
  readonly result: Promise<unknown>;
};

/** A file tool takes milliseconds; if an earlier call takes longer than this, approval is requested unchecked. */
const PATIENCE_MS = 1000;

const UNKNOWN: ReadonlySet<Effect['kind']> = new Set(['write-unknown', 'repository-code', 'process']);

/**
 * Why a call can't succeed with the current files. Undefined if it can, or if that is unknown because an earlier call
 * of the session may still read or create what it needs: a model that reads a file and changes it sends both calls in
 * one turn.
 */
export function createPrecheck(parts: {
  readonly tools: ToolRegistry;
  readonly files: Files;
  readonly inspector: Inspector;
  readonly executor: Executor;
  readonly lines: WorkspaceLines;
  readonly policy: Pick<Policy, 'sizeLimit'>;
  readonly settings: Settings;
  readonly clock: Pick<Clock, 'timer' | 'now'>;
  /** All commands of this coordinator, of every session. */
  readonly before: (record: CommandRecord) => Iterable<EarlierCommand>;
  readonly readHashesOf: (session: SessionId) => ReadHashes;
  readonly denialOf: ReturnType<typeof createDenials>;
}): (record: CommandRecord) => Promise<Outcome | undefined> {
  const { tools, settings, clock } = parts;

  /** Waits a moment for those that need no approval. `idle`: no relevant ones are left, nor were there any. */
  async function earlierOnes(
    record: CommandRecord,
    matters: (earlier: CommandRecord) => boolean,
  ): Promise<'idle' | 'done' | 'open'> {
    const isOpen = (runner: EarlierCommand): boolean =>
      runner.record().state !== 'done' && matters(runner.record());
    const open = [...parts.before(record)].filter(isOpen);
    if (open.length === 0) return 'idle';
    const patience = Promise.withResolvers<void>();
    const cancel = clock.timer(PATIENCE_MS, patience.resolve);
    const over = open.map(async (runner) => {
      const rests = await runner.resting;
      if (rests !== 'pending' && isOpen(runner)) await runner.result;
    });
    await Promise.race([Promise.all(over), patience.promise]);
    cancel();
    return open.some(isOpen) ? 'open' : 'done';
  }

  async function failureWithoutEffect(
    record: CommandRecord,
    check: () => Promise<NoEffect | undefined>,
  ): Promise<ToolFailure | undefined> {
    const found = await check();
    if (found === undefined) return undefined;
    const { failure, mayChange, mayBePrepared } = found;
    const earlier = await earlierOnes(
      record,
      (other) => mayChange(other.verdict) || (mayBePrepared && mayPrepare(other, record)),
    );
    if (earlier === 'done') return (await check())?.failure;
    return earlier === 'open' ? undefined : failure;
  }

  return async (record) => {
    if (record.call.tool === ASK_PERSON) return questionObstacle(record, parts.before);
    const tool = tools.get(record.call.tool);
    const canCheck = tool?.precheck !== undefined || tool?.shellLine !== undefined;
    if (!canCheck) return undefined;
    const { provider, sessionId, trust, clientEnv } = record.context;
    const timeoutMs = { call: undefined, tool: 0 };
    const { agreed } = settings.sandbox.network;
    const subject = { tool, provider, trust, verdict: record.verdict, line: null, agreed, timeoutMs };
    const denied = parts.denialOf(confinementOf(settings, subject).denyRead);
    const files = narrowedFiles(sizedFiles(parts.files, tool, parts.policy), denied);
    try {
      const shell = tool.shellLine?.(record.call.args, parts.lines);
      if (shell !== undefined) {
        const cwd = parts.files.normalise(shell.cwd ?? '.');
        const { verdict } = record;
        const isDenied = denied ?? (() => false);
        const check = () =>
          lineWithoutEffect({ line: shell.line, cwd }, { ...parts, files, isDenied, clientEnv, verdict });
        const failure = await failureWithoutEffect(record, check);
        if (failure !== undefined) throw failure;
      }
      if (tool.precheck === undefined) return undefined;
      const earlier = await earlierOnes(record, (other) => mayPrepare(other, record));
      if (earlier === 'open') return undefined;
      await tool.precheck(record.call.args, {
        files,
        git: parts.inspector,
        readHashes: readHashesOfCall(parts.readHashesOf(sessionId), record.submittedAt),
        staleWrite: settings.files.stale_write,
        clock,
      });
      return undefined;
    } catch (error) {
      if (error instanceof ToolFailure) return outcomeOfError(error, undefined);
      throw error;
    }
  };
}

/** Whether it is of the same session: models of different sessions don't wait for each other. */
export function mayPrepare(earlier: CommandRecord, later: CommandRecord): boolean {
  const { verdict, claims, context } = earlier;
  if (context.sessionId !== later.context.sessionId) return false;
  if (verdict === null) return true;
  return verdict.effects.some(({ kind }) => UNKNOWN.has(kind)) || claimsConflict(claims, later.claims);
}
