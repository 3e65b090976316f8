import {
  type AnswerOutcome,
  type ApprovalAnswer,
  type ApprovalDesk,
  type CancelAnswer,
  type Haste,
  type Letter,
  type ModeState,
  sendLetter,
  type UndoBegun,
  type UndoCall,
  type UndoOutcome,
  type SessionRulesDesk,
} from '@signalbox/coordinator';
import {
  type Approver,
  type CallHash,
  CallPreview,
  type Clock,
  type CommandId,
  type CommandResult,
  createId,
  type Facts,
  JsonObject,
  type MemberId,
  type Mode,
  type RandomBytes,
  shortId,
  UnavailableError,
} from '@signalbox/core';

/** The coordinator of another process, as far as a person at another terminal may tell it something. */
export type Remote = Readonly<{
  answer(id: CommandId, answer: ApprovalAnswer, by: Approver, expect: CallHash): Promise<AnswerOutcome>;
  judge: ApprovalDesk['judge'];
  preview: ApprovalDesk['preview'];
  sessionRules: SessionRulesDesk;
  cancel(id: CommandId, by: string, reason: string, haste?: Haste): Promise<CancelAnswer>;
  /** {@link submitUndo} over there, however long it takes. */
  undo(call: UndoCall): Promise<UndoOutcome>;
  setMode(mode: Mode, by: string, reason: string, forMs?: number): Promise<ModeState>;
}>;

const REPLY_WITHIN_MS = 10_000;

/**
 * @throws {UnavailableError} from each call when the coordinator does not answer within 10 s: `no-answer` where it has
 * not read what it was told, so that nothing was done; `answer-unknown` where it has, so that it may have been.
 */
export function createRemote(options: {
  readonly facts: Facts;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** To whom a letter goes, about that command or none. */
  readonly addressees: (id: CommandId | null) => Promise<readonly (MemberId | undefined)[]>;
  /** Waits for the end of a command over there. */
  readonly resultOf: (id: CommandId) => Promise<CommandResult>;
}): Remote {
  const { facts, clock, random, addressees, resultOf } = options;

  /** To who leads the command it is about, else to anybody. */
  function send<Reply>(letter: Letter): Promise<Reply> {
    const about = 'id' in letter && letter.kind !== 'stop-session' ? letter.id : null;
    return sendTo(
      addressees(about).then(([first]) => first),
      letter,
    );
  }

  /** Our own program answers, from data of the same schemas. */
  async function sendTo<Reply>(addressee: Promise<MemberId | undefined>, letter: Letter): Promise<Reply> {
    const controller = new AbortController();
    const cancel = clock.timer(REPLY_WITHIN_MS, () => {
      controller.abort();
    });
    const id = createId('turn', random);
    const to = await addressee;
    const answer = await sendLetter(facts, letter, {
      id,
      clock,
      signal: controller.signal,
      ...(to === undefined ? {} : { to }),
    }).finally(cancel);
    if (answer.kind === 'replied') return answer.reply as Reply;
    throw answer.kind === 'taken-back' ? unread() : unanswered(letter);
  }

  return {
    answer(id, answer, by, expect) {
      if (answer.kind !== 'modify') return send({ ...answer, id, by, expect });
      const change = { args: asJson(answer.args), shown: answer.shown };
      return send({ kind: 'approve', id, by, expect, change });
    },
    judge: (id, args) => send({ kind: 'judge', id, args: asJson(args) }),
    preview: async (id) => CallPreview.nullable().parse(await send({ kind: 'preview', id })),
    sessionRules: {
      add: (id, rule) => send({ kind: 'remember', id, rule: JsonObject.parse(rule) }),
      async remove(rule) {
        for (const to of await addressees(null)) {
          const { removed } = await sendTo<{ removed: boolean }>(Promise.resolve(to), {
            kind: 'forget',
            rule,
          });
          if (removed) return true;
        }
        return false;
      },
    },
    cancel: (id, by, reason, haste = 'gently') => send({ kind: 'cancel', id, by, reason, haste }),
    async undo({ command, paths, ...call }) {
      const begun = await send<ToldOfUndo>({ kind: 'undo', id: command, paths: [...paths], ...call });
      if (begun.kind === 'waits') return begun;
      return { kind: 'ended', commandId: begun.commandId, result: await resultOf(begun.commandId) };
    },
    setMode: (mode, by, reason, forMs) =>
      send({ kind: 'mode', mode, by, reason, ...(forMs === undefined ? {} : { forMs }) }),
  };
}

/** What a letter can carry of {@link UndoBegun}. */
type ToldOfUndo =
  | Extract<UndoBegun, { kind: 'waits' }>
  | Omit<Extract<UndoBegun, { kind: 'begun' }>, 'result'>;

function asJson(args: Readonly<Record<string, unknown>>): JsonObject {
  return JsonObject.parse(JSON.parse(JSON.stringify(args)));
}

function unread(): UnavailableError {
  return new UnavailableError(
    'no-answer',
    'Cannot reach the coordinator of this workspace: it does not answer',
    {
      why: [`waited ${REPLY_WITHIN_MS / 1000} s; it has not read this, so nothing was done`],
      next: ['signalbox status'],
    },
  );
}

function unanswered(letter: Letter): UnavailableError {
  const see = 'id' in letter ? `signalbox status ${shortId(letter.id)}` : 'signalbox status';
  return new UnavailableError(
    'answer-unknown',
    'Cannot tell what became of this: the coordinator has read it and did not answer',
    {
      why: [`waited ${REPLY_WITHIN_MS / 1000} s; it may have been done`],
      next: [`${see}   says what counts`],
    },
  );
}
