import {
  type Clock,
  type CommandId,
  type CommandStore,
  createId,
  type Facts,
  type Json,
  JsonObject,
  type NodeId,
  type Nodes,
  type RandomBytes,
  UnavailableError,
} from '@signalbox/core';
import { type ControlMessage, sendMessage } from './control-messages.ts';

/** How long the coordinator that leads a command may take to answer. */
const REPLY_WITHIN_MS = 10_000;

/** Sends control requests to the other coordinators of a workspace. */
export type Leaders = {
  /**
   * Sends it to the coordinator that leads this command.
   *
   * @returns Null if no other coordinator leads it.
   * @throws {UnavailableError} `leader-gone` if it has died and its commands have not been taken over yet;
   * `leader-silent` if it does not answer.
   */
  tell(id: CommandId, message: ControlMessage): Promise<Json | null>;
  /** Asks all others, one after the other, until one has done it: until the field named `done` in its reply is true. */
  askAll(message: ControlMessage, done: string): Promise<boolean>;
};

export function createLeaders(options: {
  readonly members: Nodes;
  readonly store: CommandStore;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Leaders {
  const { members, store, facts, clock, random } = options;

  async function others(): Promise<readonly NodeId[]> {
    const living = await members.living();
    return living.filter(({ id, kind }) => kind === 'coordinator' && id !== members.self).map(({ id }) => id);
  }

  async function send(to: NodeId, message: ControlMessage): Promise<Json> {
    const controller = new AbortController();
    const cancel = clock.timer(REPLY_WITHIN_MS, () => controller.abort());
    const id = createId('turn', random);
    const answer = await sendMessage(facts, message, { id, clock, signal: controller.signal, to }).finally(
      cancel,
    );
    if (answer.kind === 'replied') return answer.reply;
    throw new UnavailableError('leader-silent', `Cannot reach coordinator ${to}: it does not answer`, {
      why: [answer.kind === 'withdrawn' ? 'it has not read this, so nothing was done' : 'it may have run'],
      next: ['signalbox status'],
    });
  }

  return {
    async tell(id, message) {
      const record = await store.get(id);
      const owner = record?.owner;
      if (record === null || owner === undefined || owner === members.self || record.state === 'done')
        return null;
      if ((await others()).includes(owner)) return send(owner, message);
      throw new UnavailableError(
        'leader-gone',
        `Cannot reach coordinator ${owner}, which led ${id}: it is dead`,
        {
          why: ['nothing was done; another coordinator takes over its commands'],
          next: ['try again in a moment'],
        },
      );
    },
    async askAll(message, done) {
      for (const to of await others()) {
        const reply = JsonObject.safeParse(await send(to, message)).data;
        if (reply?.[done] === true) return true;
      }
      return false;
    },
  };
}
