import type { AnswerOutcome, ApprovalAnswer } from '@signalbox/coordinator';
import { type CommandRecord, shortId, UsageError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { withEditor } from './open-editor.ts';
import { ruleEnd } from '../runtime/rules/rule-end.ts';
import { line, muted } from '../terminal/line.ts';
import { approvalView } from '../views/command/approval-view.ts';
import { shellLineOf, withShellLine } from '../runtime/contract/shell-line.ts';
import { draftLines } from './remember-view.ts';
import type { ApprovalsClient } from '../client/approvals-client.ts';
import { ruleLines } from './outcome-line.ts';
import { questionHash } from '../runtime/rules/question-hash.ts';
import { isAgreement } from './remember-prompt.ts';
import { type DraftOfRule, type Scope, scopesFor, type StoredDraft } from '../runtime/rules/rule-draft.ts';

/** An approval with more: of another line, or with a rule for the next time. */
export type ExtendedApproval = Readonly<{
  line?: string;
  /** Without a scope the call's usual one is used. */
  always?: Readonly<{ scope: Scope | undefined; endsInMs: number | undefined }>;
}>;

export type ExtendedApprovalAnswer = Readonly<{ outcome: AnswerOutcome; stored: StoredDraft | null }>;

const DEFAULT_END_MS = 30 * 86_400_000;

/**
 * `approve ID --modify LINE` or `--always`: shows the changed call or the rule, then prompts, unless the user named the
 * call by its hash. Null: they declined, and nothing was decided.
 *
 * @throws {UsageError} `not-a-line`, `no-such-rule`: nothing was decided
 */
export async function approveWithChanges(
  record: CommandRecord,
  { line: changed, always }: ExtendedApproval,
  { approvals, context, isSure }: Readonly<{ approvals: ApprovalsClient; context: Context; isSure: boolean }>,
): Promise<ExtendedApprovalAnswer | null> {
  if (changed !== undefined && always !== undefined) throw oneOfBoth(record);
  let shown = record;
  if (changed !== undefined) {
    const judged = await approvals.judge(record.id, changedArgs(record, changed));
    if (!('id' in judged)) return { outcome: { kind: 'not-approvable', failure: judged }, stored: null };
    shown = judged;
  }
  context.tell(approvalView({ record: shown, full: false }, context.noticeRender()));
  const draft =
    always === undefined ? null : await draftFor(shown, always, { approvalsClient: approvals, context });
  if (draft !== null) {
    context.tell([
      line(muted(`This rule would be stored, for ${draft.scope}:`)),
      ...draftLines(draft).map((text) => line(text)),
    ]);
  }
  if (!isSure && !(await isYes(record, context))) return null;
  if (draft !== null) {
    const answered = await approvals.approveAndStore(record, draft);
    context.say(ruleLines(answered));
    return answered;
  }
  const answer: ApprovalAnswer =
    changed === undefined
      ? { kind: 'approve' }
      : { kind: 'modify', args: changedArgs(record, changed), shown: questionHash(shown) };
  return { outcome: await approvals.answer(record, answer), stored: null };
}

/** The request with the line as edited by the user; null: it is unchanged, and nothing is decided. */
export async function withEditedLine(
  record: CommandRecord,
  request: ExtendedApproval,
  context: Context,
): Promise<ExtendedApproval | null> {
  const short = shortId(record.id);
  if (request.line !== undefined) {
    throw new UsageError('usage', 'Cannot change the line twice: give --edit or --modify', {
      next: [`signalbox approve ${short} --edit`],
    });
  }
  const before = shellLineOf(record);
  if (before === undefined) throw noLine(record);
  const draft = {
    name: `${short}.sh`,
    text: `${before}\n`,
    what: 'the shell line',
    next: `signalbox approve ${short} --modify "npm ci"`,
  };
  const text = (await withEditor(draft, context, (edit) => edit())).trimEnd();
  if (text !== '' && text !== before.trimEnd()) return { ...request, line: text };
  context.say([line(muted('The line is unchanged: nothing was decided'))]);
  return null;
}

function changedArgs(record: CommandRecord, changed: string): CommandRecord['call']['args'] {
  if (shellLineOf(record) !== undefined) return withShellLine(record.call.args, changed);
  throw noLine(record);
}

function noLine({ id }: CommandRecord): UsageError {
  return new UsageError('not-a-line', `Cannot change ${shortId(id)}: it is not a shell line`, {
    next: [`signalbox deny ${shortId(id)} -m "…"   tells the provider what to change`],
  });
}

async function draftFor(
  record: CommandRecord,
  { scope: wished, endsInMs }: NonNullable<ExtendedApproval['always']>,
  {
    approvalsClient: { rules },
    context: { clock },
  }: Readonly<{ approvalsClient: ApprovalsClient; context: Context }>,
): Promise<DraftOfRule> {
  const proposal = await rules.propose(record);
  const scope = wished ?? scopesFor(record)[0];
  if (proposal.kind === 'rule') {
    const expires = ruleEnd(clock.now() + (endsInMs ?? DEFAULT_END_MS));
    // Agreed hosts are stored in one place, and don't expire.
    if (isAgreement(proposal.rule)) return { rule: proposal.rule, scope: 'local' };
    return { rule: scope === 'session' ? proposal.rule : { ...proposal.rule, expires }, scope };
  }
  throw new UsageError('no-such-rule', `Cannot make a rule for ${shortId(record.id)}: ${proposal.why}`, {
    why: ['nothing was decided'],
    next: [`signalbox approve ${shortId(record.id)}   answers only this one`],
  });
}

function oneOfBoth({ id }: CommandRecord): UsageError {
  return new UsageError('usage', `Cannot combine --modify and --always for ${shortId(id)}`, {
    why: ['nothing was decided'],
    next: ['use only --modify', 'use only --always'],
  });
}

async function isYes(record: CommandRecord, { askLine, interrupts }: Context): Promise<boolean> {
  const over = new AbortController();
  interrupts.listen(() => {
    over.abort();
  });
  const typed = await askLine(`Approve ${shortId(record.id)}? [y/N] `, over.signal);
  return typed?.trim().toLowerCase() === 'y';
}
