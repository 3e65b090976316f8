import {
  type AnswerOutcome,
  type ApprovalAnswer,
  type CancelAnswer,
  type Letter,
  type ModeState,
  sendLetter,
} from '@signalbox/coordinator';
import {
  type Approver,
  type CallHash,
  type Clock,
  type CommandId,
  createId,
  type Facts,
  type Mode,
  type RandomBytes,
  UnavailableError,
} from '@signalbox/core';

/** The coordinator of another process, as far as a person at another terminal may tell it something. */
export type Remote = Readonly<{
  answer(id: CommandId, answer: ApprovalAnswer, by: Approver, expect: CallHash): Promise<AnswerOutcome>;
  cancel(id: CommandId, by: string, reason: string): Promise<CancelAnswer>;
  setMode(mode: Mode, by: string, reason: string): Promise<ModeState>;
}>;

const REPLY_WITHIN_MS = 10_000;

/** @throws {UnavailableError} `no-answer` from each call when the coordinator does not answer within 10 s. */
export function createRemote(options: {
  readonly facts: Facts;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Remote {
  const { facts, clock, random } = options;

  async function send(letter: Letter): Promise<unknown> {
    const controller = new AbortController();
    const cancel = clock.timer(REPLY_WITHIN_MS, () => {
      controller.abort();
    });
    const id = createId('turn', random);
    const reply = await sendLetter(facts, letter, { id, clock, signal: controller.signal });
    cancel();
    if (reply !== undefined) return reply;
    throw new UnavailableError(
      'no-answer',
      'Cannot reach the coordinator of this workspace: it does not answer',
      {
        why: [`waited ${REPLY_WITHIN_MS / 1000} s; nothing was decided`],
        next: ['signalbox status'],
      },
    );
  }

  return {
    async answer(id, answer, by, expect) {
      const letter: Letter =
        answer.kind === 'deny'
          ? { kind: 'deny', id, by, expect, reason: answer.reason }
          : {
              kind: 'approve',
              id,
              by,
              expect,
              ...(answer.kind === 'modify' ? { args: JSON.parse(JSON.stringify(answer.args)) } : {}),
            };
      // Our own program answers, from data of the same schemas.
      return (await send(letter)) as AnswerOutcome;
    },
    async cancel(id, by, reason) {
      return (await send({ kind: 'cancel', id, by, reason })) as CancelAnswer;
    },
    async setMode(mode, by, reason) {
      return (await send({ kind: 'mode', mode, by, reason })) as ModeState;
    },
  };
}
