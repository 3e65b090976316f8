import { resolve } from 'node:path';
import { type Failure, type Mode, type ProviderId, type Ruling, UsageError } from '@signalbox/core';
import { explain, proposeRule, type Question } from '@signalbox/policy';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { withRecords } from '../../client/readers/with-records.ts';
import { failureOfLine } from '../../runtime/failure-of-line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { noteLine } from '../../runtime/settings/note-line.ts';
import { explanationView } from './explanation-view.ts';
import { createQuestions, modeNow } from '../../runtime/rules/questions.ts';

type Asked = Readonly<{
  id: string | undefined;
  line: string | undefined;
  provider: ProviderId;
  mode: Mode | undefined;
  cwd: string;
  trace: boolean;
}>;

/**
 * `signalbox policy explain p9ze` or `-- 'git push'`: which rule decides, from which file, and what would change it.
 */
export async function explainPolicy(asked: Asked, context: Context): Promise<ExitCode> {
  const { settings, fileNotes } = await loadSettings(context);
  context.say(fileNotes.map(noteLine));
  const questions = createQuestions(context, settings);
  const now = asked.mode ?? (await modeNow(context, settings.mode));
  const { title, question, ruled } = await find();
  const policy = questions.policyOf(settings);
  const explanation = explain(policy, question, withRefusal(policy.rule(question), ruled));
  const proposal =
    explanation.ruling.rule === REFUSED_BEFORE ? undefined : proposeRule(question, explanation.ruling);
  const failure = asked.line === undefined ? null : await failureOf(asked.line);
  const explained = { title, question, ...explanation, proposal: proposal ?? null, failure };
  context.json({
    title,
    verdict: question.verdict,
    ruling: explanation.ruling,
    rules: explanation.rules,
    changes: explanation.changes,
    proposal: explained.proposal,
    mode: question.mode,
    failure,
  });
  await context.page(explanationView(explained, asked.trace, context.render()));
  return EXIT.ok;

  /** As in a real call: a line that can't succeed needs no approval. */
  function failureOf(line: string): Promise<Failure | null> {
    return failureOfLine({
      line,
      workspace: context.directory,
      cwd: resolve(context.cwd, asked.cwd),
      settings,
      verdict: question.verdict,
      ruling: explanation.ruling,
      path: context.env['PATH'],
    });
  }

  async function find(): Promise<Readonly<{ title: string; question: Question; ruled: Ruling | null }>> {
    const { id, line, provider, cwd } = asked;
    if (line !== undefined)
      return {
        title: line,
        question: questions.ofLine(line, { provider, mode: now, cwd: resolve(context.cwd, cwd) }),
        ruled: null,
      };
    if (id === undefined) {
      throw new UsageError('usage', 'Cannot explain: name a command or a shell line', {
        next: ['signalbox policy explain @last', "signalbox policy explain -- 'git push'"],
      });
    }
    const record = await withRecords(context, ({ store, forgotten }) =>
      findCommand({ get: store.get, find: store.find, list: store.list, forgotten }, id),
    );
    const found = questions.ofRecord(record, asked.mode ?? record.mode ?? now);
    const isRuled = record.ruling !== null || record.result === null;
    if (found !== null && isRuled) return { title: record.title, question: found, ruled: record.ruling };
    const outcome = record.result?.outcome;
    // A rate, a quota or a repetition ended it, whatever the rules say.
    const why = isRuled || found === null ? 'the policy never checked it' : 'no rule decided it';
    throw new UsageError('never-judged', `Cannot explain ${id}: ${why}`, {
      why: outcome !== undefined && outcome.kind !== 'completed' ? [outcome.failure.message] : [],
    });
  }
}

const REFUSED_BEFORE = 'refused-before';

/**
 * Only the coordinator knows earlier denials of a session: its ruling on the call includes them, so this one does too.
 */
function withRefusal(now: Ruling, ruled: Ruling | null): Ruling {
  if (ruled?.kind !== 'ask' || now.kind === 'deny') return now;
  if (now.kind === 'allow') return ruled.rule === REFUSED_BEFORE ? ruled : now;
  return ruled.rule === now.rule && ruled.source === now.source ? ruled : now;
}
