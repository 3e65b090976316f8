import { type CommandRecord, shortId, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { findCommand } from '../../client/readers/find-command.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { outcomeLine } from '../../live/outcome-line.ts';
import { createQuestionScreen } from '../../live/question-screen.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { BLANK, line, muted } from '../../terminal/line.ts';
import { approvalView } from '../../views/command/approval-view.ts';
import type { ApprovalsClient } from '../../client/approvals-client.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';

/** `signalbox answer p9ze 2`: answers a model's question; without an ID it lists the open ones. */
export const answer = defineSubcommand({
  name: 'answer',
  args: z.object({ id: z.string().optional(), text: z.string().optional() }),
  run: ({ id, text }, context) =>
    withCoordinator(
      context,
      { what: 'answer a question', start: id !== undefined },
      async (client, { commands }) => {
        if (id === undefined) return listOpen(await openQuestions(client.approvals(() => true)), context);
        const record = await findCommand(commands, id);
        checkOpen(record);
        const approvals = client.approvals((one) => one.id === record.id);
        if (text === undefined) return askHere(record, approvals, context);
        const outcome = await approvals.answer(record, { kind: 'answer', text: meantBy(record, text) });
        context.say([outcomeLine(record, outcome)]);
        const { approval = null } = (await commands.get(record.id)) ?? {};
        context.json({ command: record.id, answer: outcome.kind, approval });
        if (outcome.kind === 'answered') return EXIT.ok;
        return outcome.kind === 'not-approvable' ? EXIT.usage : EXIT.conflict;
      },
    ),
});

async function openQuestions(approvals: ApprovalsClient): Promise<readonly CommandRecord[]> {
  return (await approvals.pending()).filter(({ approval }) => approval?.question !== undefined);
}

function listOpen(open: readonly CommandRecord[], context: Context): ExitCode {
  context.answer({
    json: () => ({
      questions: open.map(({ id, context: { provider, sessionId }, approval }) => ({
        command: id,
        provider,
        session: sessionId,
        ...approval?.question,
        expiresAt: approval?.expiresAt ?? null,
      })),
    }),
    lines: (render) =>
      open.length === 0
        ? [line(muted('No questions are open'))]
        : open.flatMap((record) => [
            ...approvalView({ record, full: false }, render),
            line(muted(`   signalbox answer ${shortId(record.id)} "TEXT"`)),
            BLANK,
          ]),
  });
  return EXIT.ok;
}

function checkOpen({ id, state, approval }: CommandRecord): void {
  const next = [`signalbox status ${shortId(id)}`];
  if (approval?.question === undefined)
    throw new UsageError('not-waiting', `Cannot answer ${shortId(id)}: it is no question`, { next });
  if (state !== 'awaiting_approval')
    throw new UsageError('already-decided', `Cannot answer ${shortId(id)}: it is closed`, { next });
}

/** A number names a choice, unless the choices are numbers themselves. */
function meantBy({ approval }: CommandRecord, text: string): string {
  const choices = approval?.question?.choices ?? [];
  if (choices.includes(text) || !/^[1-9]$/.test(text)) return text;
  return choices[Number(text) - 1] ?? text;
}

/** Reads the answer on this terminal, key by key. */
async function askHere(
  record: CommandRecord,
  approvals: ApprovalsClient,
  context: Context,
): Promise<ExitCode> {
  const { flags, terminal } = context;
  if (!flags.input || flags.json || !terminal.stdin.tty || !terminal.stderr.tty) {
    throw new UsageError('needs-approval', 'Cannot ask without a terminal: give the answer too', {
      next: [`signalbox answer ${shortId(record.id)} "TEXT"`],
    });
  }
  const left = Promise.withResolvers<ExitCode>();
  const stop = context.interrupts.listen(() => left.resolve(EXIT.needsApproval));
  const screen = createQuestionScreen({
    context,
    approvals: {
      ...approvals,
      async answer(one, given) {
        const outcome = await approvals.answer(one, given);
        if (given.kind !== 'extend') left.resolve(outcome.kind === 'not-approvable' ? EXIT.usage : EXIT.ok);
        return outcome;
      },
      async pending() {
        const open = await approvals.pending();
        if (open.length <= screen.later()) left.resolve(EXIT.needsApproval);
        return open;
      },
    },
  });
  try {
    await screen.wake();
    if (!context.keyboard.available) left.resolve(EXIT.needsApproval);
    return await left.promise;
  } finally {
    stop();
    screen.close();
  }
}
