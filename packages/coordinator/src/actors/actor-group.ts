import {
  type Actor,
  type ActorLogic,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  createActor,
  type InputFrom,
  type Snapshot,
} from 'xstate';

/** A child of the root that threw. */
export type Fault = { readonly actor: string; readonly error: unknown };

/** One of many children that come and go in a group. */
export type GroupMember = { readonly actor: AnyActorRef };

/** An interface, because declarations name it: XState's own type refers to types that XState does not export. */
export interface GroupLogic extends ActorLogic<Snapshot<undefined>, AnyEventObject> {}

/**
 * An actor that only holds other actors, by id.
 *
 * XState copies a machine's snapshot with all of its children whenever a child is added, which is too slow for
 * thousands of commands. Here adding and removing cost the same for any number of children.
 */
export type ActorGroup<Child extends GroupMember, Id extends string> = {
  readonly logic: GroupLogic;
  /** In order of arrival. */
  readonly children: ReadonlyMap<Id, Child>;
  /** Creates a child; the caller starts and adds it. */
  create<Logic extends AnyActorLogic>(logic: Logic, id: Id, input: InputFrom<Logic>): Actor<Logic>;
  add(id: Id, child: Child): void;
  /** Stops and removes that child. */
  remove(id: Id): void;
};

const ACTIVE = { status: 'active', output: undefined, error: undefined } as const;
const ENDED = /^xstate\.(?<how>done|error)\.actor\.(?<id>.+)$/;

/** @param listener `fault`: a child threw, and the others continue; `empty`: the last child has ended by itself */
export function createActorGroup<Child extends GroupMember, Id extends string>(listener: {
  readonly fault: (fault: Fault) => void;
  readonly empty?: () => void;
}): ActorGroup<Child, Id> {
  const children = new Map<Id, Child>();
  let self: AnyActorRef | undefined;
  let stopChild: (child: AnyActorRef) => void = () => undefined;

  function end(id: Id): void {
    const child = children.get(id);
    children.delete(id);
    if (child !== undefined) stopChild(child.actor);
  }

  return {
    children,
    logic: {
      getInitialSnapshot(scope) {
        ({ self, stopChild } = scope);
        return ACTIVE;
      },
      getPersistedSnapshot: (snapshot) => snapshot,
      transition(snapshot, event) {
        if (event.type === 'xstate.stop') {
          for (const id of children.keys()) end(id);
          return { ...ACTIVE, status: 'stopped' };
        }
        const ended = ENDED.exec(event.type)?.groups;
        if (ended === undefined) return snapshot;
        const { how, id: actor = '' } = ended;
        children.delete(actor as Id);
        if (how === 'error') listener.fault({ actor, error: event['error'] });
        if (children.size === 0) listener.empty?.();
        return snapshot;
      },
    },
    create<Logic extends AnyActorLogic>(logic: Logic, id: Id, input: InputFrom<Logic>) {
      const own = { id, systemId: id, input };
      const options = self === undefined ? own : { ...own, parent: self };
      return createActor<AnyActorLogic>(logic, options) as Actor<Logic>;
    },
    add(id, child) {
      children.set(id, child);
    },
    remove: end,
  };
}
