import type { AnswerOutcome, ApprovalAnswer } from '@signalbox/coordinator';
import { type CommandRecord, shortId, UsageError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { askYes } from './ask-yes.ts';
import { EXIT, type ExitCode } from '../runtime/contract/exit-code.ts';
import { findCommand } from '../client/readers/find-command.ts';
import { withCoordinator } from '../client/readers/with-coordinator.ts';
import { withRecordsIfAny } from '../client/readers/with-records.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import type { Reader } from '../client/readers/reader.ts';
import { approvalView } from '../views/command/approval-view.ts';
import type { ApprovalsClient } from '../client/approvals-client.ts';
import { outcomeLine, sessionLines } from './outcome-line.ts';
import { approveWithChanges, type ExtendedApproval, withEditedLine } from './approve-with-changes.ts';
import { checkHash, checkWaiting, isExpired, SHORTEST_HASH } from './check-waiting.ts';
import { createQuestionScreen } from './question-screen.ts';
import type { StoredDraft } from '../runtime/rules/rule-draft.ts';

type Request = Readonly<{
  typed: readonly string[];
  expect: string | undefined;
  answer: Extract<ApprovalAnswer, { kind: 'approve' | 'deny' | 'extend' }>;
  /** Whether the user edits the shell line first, in their editor. Default: it is approved unchanged. */
  edits?: boolean;
}> &
  ExtendedApproval;

/**
 * Answers pending approvals of the running coordinator. A denial needs only the id; an approval needs the call that was
 * shown: on this terminal, or named by `--expect`.
 */
export async function answerWaiting(
  { typed, expect, answer, edits = false, ...extended }: Request,
  context: Context,
): Promise<ExitCode> {
  const verb = answer.kind;
  const what = `${verb} a command`;
  const start = typed.length > 0 || (await hasPending(context));
  return withCoordinator(context, { what, start }, async ({ approvals }, { commands }) => {
    const wanted = await Promise.all(typed.map((one) => findCommand(commands, one)));
    for (const record of wanted) checkWaiting(record, verb, context.noticeRender());
    const ids = new Set(wanted.map(({ id }) => id));
    const client = approvals(({ id }) => ids.size === 0 || ids.has(id));
    if (edits || extended.line !== undefined || extended.always !== undefined) {
      const [record, ...more] = wanted;
      if (record === undefined || more.length > 0) throw needsOneId();
      checkHash(record, expect, { verb });
      if ((expect === undefined || edits) && !canAsk(context)) throw needsHash(wanted);
      const request = edits ? await withEditedLine(record, extended, context) : extended;
      if (request === null) return EXIT.needsApproval;
      const isSure = expect !== undefined && !edits;
      const answered = await approveWithChanges(record, request, { approvals: client, context, isSure });
      if (answered === null) return EXIT.needsApproval;
      return reportOutcome(record, answered.outcome, { commands, context, stored: answered.stored });
    }

    if (verb === 'approve' && expect === undefined && canAsk(context)) {
      for (const record of wanted.filter(isExpired)) {
        context.tell(approvalView({ record, full: true }, context.noticeRender()));
        if (!(await askYes('Approve it for the next identical call?', context))) return EXIT.needsApproval;
      }
    }
    const areExpired = wanted.length > 0 && wanted.every(isExpired) && canAsk(context);
    if (verb === 'approve' && expect === undefined && !areExpired) {
      const asked = canAsk(context) || wanted.length > 0 ? wanted : await client.pending();
      if (!canAsk(context) && asked.length > 0) throw needsHash(asked);
      if (wanted.length === 0) context.say(lateRows(await commands.list({ limit: MAX_LISTED })));
      return askOneByOne(context, client);
    }
    const targets = wanted.length > 0 ? wanted : await client.pending();
    if (targets.length === 0) context.say([line(muted('No approvals pending'))]);
    if (typed.length === 0 && targets.length > 1) {
      throw new UsageError(
        'ambiguous-id',
        `Cannot ${verb}: ${targets.length} approvals are pending; name one`,
        {
          why: targets.map(({ id, context: { provider }, title }) => `${shortId(id)}  ${provider}  ${title}`),
        },
      );
    }
    let exit: ExitCode = EXIT.ok;
    for (const record of targets) {
      checkHash(record, expect, { verb });
      const outcome = await client.answer(record, answer);
      exit = Math.max(exit, await reportOutcome(record, outcome, { commands, context, stored: null }));
    }
    return exit;
  });
}

/** Whether an answer can have an effect: stored approvals become pending again when a coordinator starts. */
function hasPending(context: Context): Promise<boolean> {
  if (context.flags.server !== undefined) return Promise.resolve(false);
  return withRecordsIfAny(
    context,
    async ({ store }) => (await store.countUnfinished()).some(({ state }) => state === 'awaiting_approval'),
    async () => false,
  );
}

/** Commands searched for expired approvals. */
const MAX_LISTED = 200;
const MAX_LATE = 8;

/** Approvals of agents that expired, and how to answer them late. */
function lateRows(all: readonly CommandRecord[]): readonly Line[] {
  const late = all.filter(isExpired);
  if (late.length === 0) return [];
  const more = late.length - MAX_LATE;
  return [
    line(muted('Expired; an answer applies to the next identical call:')),
    ...late
      .slice(0, MAX_LATE)
      .map(({ id, title, context: { provider } }) =>
        line('  ', as('accent', `signalbox approve ${shortId(id)}`), `  ${provider}  ${title}`),
      ),
    ...(more > 0 ? [line(muted(`  and ${more} more: signalbox history`))] : []),
  ];
}

async function reportOutcome(
  record: CommandRecord,
  outcome: AnswerOutcome,
  {
    commands,
    context,
    stored,
  }: Readonly<{ commands: Reader['commands']; context: Context; stored: StoredDraft | null }>,
): Promise<ExitCode> {
  context.say([outcomeLine(record, outcome), ...sessionLines(record, outcome)]);
  const after = await commands.get(record.id);
  const rule = stored === null ? {} : { rule: stored };
  const session = 'sessionStopped' in outcome ? { sessionStopped: outcome.sessionStopped } : {};
  const { approval = null } = after ?? {};
  context.json({ command: record.id, answer: outcome.kind, approval, ...rule, ...session });
  return exitCodeOf(outcome);
}

async function askOneByOne(context: Context, client: ApprovalsClient): Promise<ExitCode> {
  const pending = await client.pending();
  if (pending.length === 0) {
    context.say([line(muted('No approvals pending'))]);
    return EXIT.ok;
  }
  const interrupted = new Promise<'interrupted'>((resolve) => {
    context.interrupts.listen(() => {
      resolve('interrupted');
    });
  });
  let answered = 0;
  let settle: () => void = () => undefined;
  const allAnswered = new Promise<'answered'>((resolve) => {
    settle = () => {
      resolve('answered');
    };
  });
  const questions = createQuestionScreen({
    context,
    approvals: {
      ...client,
      async answer(record, given) {
        const outcome = await client.answer(record, given);
        answered += 1;
        return outcome;
      },
      async pending() {
        const now = await client.pending();
        if (now.length <= questions.later()) settle();
        return now;
      },
    },
  });
  try {
    for (let i = 0; i < pending.length; i++) await questions.wake();
    if (!context.keyboard.available) settle();
    const end = await Promise.race([interrupted, allAnswered]);
    return end === 'answered' && answered > 0 ? EXIT.ok : EXIT.needsApproval;
  } finally {
    questions.close();
  }
}

function canAsk({ flags, terminal }: Context): boolean {
  return flags.input && !flags.json && terminal.stdin.tty && terminal.stderr.tty;
}

function needsOneId(): UsageError {
  return new UsageError(
    'usage',
    'Cannot tell which command is meant: --modify, --edit and --always take one ID',
    {
      next: ['signalbox approve ID --modify "npm ci"'],
    },
  );
}

function needsHash(wanted: readonly CommandRecord[]): UsageError {
  const [first] = wanted;
  const id = first === undefined ? 'ID' : shortId(first.id);
  const hash = first?.approval?.callHash.slice(0, SHORTEST_HASH) ?? 'HASH';
  return new UsageError(
    'needs-approval',
    'Cannot approve without a terminal: use --expect HASH for a call you have reviewed',
    {
      next: [`signalbox status ${id}   shows it`, `signalbox approve ${id} --expect ${hash}`],
    },
  );
}

function exitCodeOf(outcome: AnswerOutcome): ExitCode {
  switch (outcome.kind) {
    case 'granted':
    case 'answered':
    case 'counted':
    case 'extended':
    case 'late':
      return EXIT.ok;
    case 'refused':
      return outcome.sessionStopped === false ? EXIT.failed : EXIT.ok;
    case 'same-person':
    case 'files-changed':
    case 'already-decided':
    case 'changed':
    case 'unknown':
      return EXIT.conflict;
    case 'not-approvable':
      return EXIT.denied;
  }
}
