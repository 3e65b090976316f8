import type { CommandRecord } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { line, muted } from '../terminal/line.ts';
import { approvalView } from '../views/command/approval-view.ts';
import { shellLineOf, withShellLine } from '../runtime/contract/shell-line.ts';
import { draftLines } from './remember-view.ts';
import type { ApprovalsClient } from '../client/approvals-client.ts';
import { outcomeLine, ruleLines } from './outcome-line.ts';
import { isApprovable } from './approval-prompt.ts';
import { questionHash } from '../runtime/rules/question-hash.ts';
import { isAgreement } from './remember-prompt.ts';
import {
  ruleLine,
  type DraftOfRule,
  type Scope,
  scopesFor,
  type RuleText,
} from '../runtime/rules/rule-draft.ts';

/** An approval that is answered by typed lines. */
export type LinePrompt = Readonly<{
  context: Context;
  approvals: ApprovalsClient;
  signal: AbortSignal;
}>;

/** Another shell line, judged and shown before an approval counts. True if answered. */
export async function modifyByLines(record: CommandRecord, question: LinePrompt): Promise<boolean> {
  const { context, approvals, signal } = question;
  const before = shellLineOf(record);
  if (before === undefined) {
    context.tell([line('Only shell lines can be edited here')]);
    return false;
  }
  const typed = (await context.askLine(`Line (now: ${before}): `, signal)) ?? '';
  if (typed.trim() === '') return false;
  const args = withShellLine(record.call.args, typed);
  const judged = await approvals.judge(record.id, args);
  if (!isApprovable(judged)) {
    const why = 'id' in judged ? 'it is blocked' : judged.message;
    context.tell([line(`It can't be approved: ${why}`)]);
    return false;
  }
  context.tell(approvalView({ record: judged, full: false }, context.noticeRender()));
  if (!(await isYes('Approve the edited line? [y/N] ', question))) return false;
  const modification = { kind: 'modify', args, shown: questionHash(judged) } as const;
  context.tell([outcomeLine(record, await approvals.answer(record, modification))]);
  return true;
}

/** A rule for such calls from now on, shown exactly before it is stored. True if answered. */
export async function rememberByLines(record: CommandRecord, question: LinePrompt): Promise<boolean> {
  const { context, approvals } = question;
  const proposal = await approvals.rules.propose(record);
  if (proposal.kind === 'never') {
    context.tell([line(`No rule: ${proposal.why}`)]);
    return false;
  }
  const rule = await editedRule(record, proposal.rule, question);
  const scope = rule === null ? null : isAgreement(rule) ? 'local' : await askScope(record, question);
  if (rule === null || scope === null) return false;
  const draft: DraftOfRule = { rule, scope };
  showRule(draft, question);
  if (!(await isYes('Save the rule and approve? [y/N] ', question))) return false;
  const made = await approvals.approveAndStore(record, draft);
  context.tell([outcomeLine(record, made.outcome), ...ruleLines(made)]);
  return true;
}

function showRule(draft: DraftOfRule, { context }: LinePrompt): void {
  context.tell([line(muted(`for ${draft.scope}`)), ...draftLines(draft).map((text) => line(text))]);
}

/** Null if the typed text is no matching rule. */
async function editedRule(
  record: CommandRecord,
  rule: RuleText,
  { context, approvals, signal }: LinePrompt,
): Promise<RuleText | null> {
  context.tell([line('  ', ruleLine(rule))]);
  const typed = (await context.askLine('Rule (empty: keep as shown): ', signal)) ?? '';
  if (typed.trim() === '') return rule;
  const checked = await approvals.rules.check(record, typed);
  if (checked.kind === 'fits') return checked.rule;
  context.tell([line(`It can't be used: ${checked.why}`)]);
  return null;
}

async function askScope(record: CommandRecord, { context, signal }: LinePrompt): Promise<Scope | null> {
  const scopes = scopesFor(record);
  const asked = `Scope [${scopes.join('/')}, empty: ${scopes[0]}]: `;
  const typed = (await context.askLine(asked, signal)) ?? '';
  if (typed.trim() === '') return scopes[0];
  return scopes.find((scope) => scope === typed.trim()) ?? null;
}

async function isYes(asked: string, { context, signal }: LinePrompt): Promise<boolean> {
  return (await context.askLine(asked, signal))?.trim().toLowerCase() === 'y';
}
