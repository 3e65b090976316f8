import type { SessionRuleService } from '@signalbox/coordinator';
import { type CommandRecord, JsonObject, type Mode, shortId, UsageError, UserRule } from '@signalbox/core';
import { checkRules, proposeRule } from '@signalbox/policy';
import { parse } from 'yaml';
import type { Context } from '../contract/context.ts';
import { joined } from './agreement.ts';
import { Agreement, proposeAgreement, readAgreement, settingsWith, wantedOf } from './agreement.ts';
import { createProjectHosts } from '../workspace/project-hosts-of.ts';
import { storeAgreed } from './store-agreed.ts';
import { createQuestions } from './questions.ts';
import type { CheckedDraft, Proposal, DraftOfRule, Scope, StoredDraft } from './rule-draft.ts';
import type { SettingsScope } from './settings-files.ts';
import { storeRule } from './store-rule.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { shellLineOf } from '../contract/shell-line.ts';

/** Rules that a user creates while answering approvals. */
export type RuleService = Readonly<{
  /** As narrow as the call, without an expiry. */
  propose(record: CommandRecord): Promise<Proposal>;
  /** Whether the typed text is an allow rule that lets this call run, with examples that hold. */
  check(record: CommandRecord, typed: string): Promise<CheckedDraft>;
  store(record: CommandRecord, draft: DraftOfRule): Promise<StoredDraft>;
}>;

/** What creating rules needs from the context. */
export type RuleContext = Pick<Context, 'directory' | 'env' | 'clock' | 'random' | 'user'>;

export function createRuleService(options: {
  readonly context: RuleContext;
  readonly sessionRules: Pick<SessionRuleService, 'add'>;
  readonly mode: () => Promise<Mode>;
  /** Makes the coordinator judge by the current settings. */
  readonly applyPolicy: () => Promise<void>;
}): RuleService {
  const { context, sessionRules } = options;

  async function policyAndQuestion(record: CommandRecord) {
    const { settings } = await loadSettings(context);
    const questions = createQuestions(context, settings);
    return {
      settings,
      policyOf: questions.policyOf,
      hosts: createProjectHosts(context.directory),
      question: questions.ofRecord(record, await options.mode()),
    };
  }

  async function checkAgreement(record: CommandRecord, agreement: Agreement): Promise<CheckedDraft> {
    const { policyOf, settings, question } = await policyAndQuestion(record);
    const ruling =
      question === null ? null : policyOf(settingsWith(settings, agreement.agree)).rule(question);
    if (ruling?.kind === 'allow')
      return { kind: 'fits', rule: { ...JsonObject.parse(agreement), id: agreement.id } };
    return { kind: 'unfit', why: `with these hosts this call would still ${ruling?.kind ?? 'ask'}` };
  }

  async function storeAgreement({ id, agree }: Agreement, scope: Scope): Promise<StoredDraft> {
    if (scope !== 'local') {
      throw new UsageError('usage', 'Cannot allow hosts in that scope: the list is in your own file', {
        next: ['scope: only you, this workspace'],
      });
    }
    const { settings } = await loadSettings(context);
    const stored = await storeAgreed(joined(settings.sandbox.network.agreed, wantedOf(agree)), context);
    await options.applyPolicy();
    return { id, where: stored.file.name, counts: true };
  }

  return {
    async propose(record) {
      const { question, ...world } = await policyAndQuestion(record);
      const agreement =
        question === null || record.ruling?.kind !== 'ask' ? null : await proposeAgreement(question, world);
      if (agreement !== null)
        return { kind: 'rule', rule: { ...JsonObject.parse(agreement), id: agreement.id } };
      const proposal =
        question === null || record.ruling === null ? undefined : proposeRule(question, record.ruling);
      if (proposal === undefined) return { kind: 'never', why: whyNever(record) };
      return {
        kind: 'rule',
        rule: {
          ...JsonObject.parse(JSON.parse(JSON.stringify(proposal))),
          id: proposal.id,
          because: `${shortId(record.id)}, approved by ${context.user}`,
          examples: { match: [exampleOf(record)] },
        },
      };
    },

    async check(record, typed) {
      const agreement = readAgreement(typed);
      if (agreement !== null) return checkAgreement(record, agreement);
      const written = readRule(typed);
      if (typeof written === 'string') return { kind: 'unfit', why: written };
      const parsed = UserRule.safeParse(written);
      const [issue] = parsed.error?.issues ?? [];
      if (!parsed.success) {
        return {
          kind: 'unfit',
          why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not a rule'}`.trim(),
        };
      }
      if (parsed.data.ruling !== 'allow')
        return { kind: 'unfit', why: 'it is not an allow rule: write allow' };
      const [problem] = checkRules([parsed.data]);
      if (problem !== undefined) return { kind: 'unfit', why: problem.message };
      const { policyOf, settings, question } = await policyAndQuestion(record);
      const ruling = question === null ? null : policyOf(settings).with([parsed.data]).rule(question);
      if (ruling?.kind === 'allow') return { kind: 'fits', rule: { ...written, id: parsed.data.id } };
      return {
        kind: 'unfit',
        why: `with it this call would still ${ruling?.kind ?? 'ask'}: ${ruling?.rule ?? ''}`,
      };
    },

    async store(record, { rule, scope }) {
      const agreement = Agreement.safeParse(rule).data;
      if (agreement !== undefined) return storeAgreement(agreement, scope);
      if (scope === 'session') {
        const added = await sessionRules.add(record.id, rule);
        return { id: added.rule, where: `session ${shortId(added.session)}`, counts: true };
      }
      const stored = await storeRule(rule, scope satisfies SettingsScope, context);
      await options.applyPolicy();
      return { id: stored.rule.id, where: stored.file, counts: stored.counts };
    },
  };
}

/** The rule in that line, or why there is none. */
function readRule(typed: string): JsonObject | string {
  try {
    const value: unknown = parse(typed);
    return JsonObject.safeParse(value).data ?? 'it is not a rule: { id: …, allow: { … } }';
  } catch (error) {
    return `it is not YAML: ${String(error instanceof Error ? error.message.split('\n')[0] : error)}`;
  }
}

/** The line, or the tool and path of a file call, as examples of rules name it. */
function exampleOf(record: CommandRecord): string {
  const { call } = record;
  const { path } = call.args;
  return shellLineOf(record) ?? (typeof path === 'string' ? `${call.tool} ${path}` : call.tool);
}

function whyNever({ verdict, ruling }: CommandRecord): string {
  if (verdict?.level === 'dangerous') return 'dangerous calls always need approval';
  if (ruling !== null && ruling.source !== 'built in')
    return `rule ${ruling.rule} (${ruling.source}) requires approval`;
  return 'no rule can match only this call: part of it is known only when it runs';
}
