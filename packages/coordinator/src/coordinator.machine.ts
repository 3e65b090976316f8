import { assign, fromCallback, fromTransition, setup } from 'xstate';
import { modeMachine } from './mode/mode.machine.ts';
import { createActorGroup, type Fault } from './actors/actor-group.ts';
import { settingsSources } from './actors/settings-sources.ts';

type ApprovalStep = {
  readonly type: 'approval.requested' | 'approval.closed';
  readonly commandId: string;
};

/** Events of a coordinator. `at`: epoch milliseconds. */
export type CoordinatorEvent = {
  readonly type: 'recovery.ended' | 'drain.requested' | 'close.requested' | 'parts.stopped';
  readonly at: number;
};

/** A child failed: it is reported, and nothing else ends. */
const REPORTED = { actions: { type: 'reportFault' as const, params: faultOf } };

function faultOf({ event }: { event: { type: string; error: unknown } }): Fault {
  return { actor: event.type.slice('xstate.error.actor.'.length), error: event.error };
}

/**
 * The life cycle of a coordinator, and the root of all its actors:
 *
 *   recovering ──recovery.ended──▶ leading ──drain.requested──▶ draining
 *        └──drain.requested──▶ recovering.draining ──recovery.ended──┘ ▲
 *   all of them ──close.requested──▶ closing ──parts.stopped──▶ closed
 *
 * A call that arrives during recovery queues behind the earlier commands; during closing it is cancelled; after that it
 * is rejected. Actors that only an open coordinator needs end with `open`; commands and sessions live until the root is
 * stopped.
 */
export const coordinatorMachine = setup({
  types: {
    context: {} as { readonly since: number },
    events: {} as CoordinatorEvent,
    input: {} as { readonly at: number },
    children: {} as {
      readonly mode: 'mode';
      readonly 'mode-watch': 'modeWatch';
      readonly approvals: 'approvals';
      readonly commands: 'commands';
      readonly sessions: 'sessions';
      readonly nodes: 'nodes';
      readonly settings: 'settings';
    },
  },
  actors: {
    mode: modeMachine,
    /** Changes the mode automatically: time, trouble, conditions. */
    modeWatch: fromCallback(() => undefined),
    approvals: fromTransition(approvalCount, { waiting: 0 }),
    commands: createActorGroup({ fault: () => undefined }).logic,
    sessions: createActorGroup({ fault: () => undefined }).logic,
    /** Other coordinators and workers of the workspace. */
    nodes: fromCallback(() => undefined),
    settings: fromTransition(settingsSources, {}),
  },
  actions: {
    noteTime: assign({ since: ({ event }) => event.at }),
    reportFault: (_, fault: Fault): unknown => fault,
    stop: () => undefined,
  },
}).createMachine({
  id: 'coordinator',
  context: ({ input }) => ({ since: input.at }),
  initial: 'open',
  invoke: [
    { src: 'commands', id: 'commands', systemId: 'commands', onError: REPORTED },
    { src: 'sessions', id: 'sessions', systemId: 'sessions', onError: REPORTED },
  ],
  states: {
    open: {
      invoke: [
        { src: 'mode', id: 'mode', systemId: 'mode', onError: REPORTED },
        { src: 'modeWatch', id: 'mode-watch', systemId: 'mode-watch', onError: REPORTED },
        { src: 'approvals', id: 'approvals', systemId: 'approvals', onError: REPORTED },
        { src: 'nodes', id: 'nodes', systemId: 'nodes', onError: REPORTED },
        { src: 'settings', id: 'settings', systemId: 'settings', onError: REPORTED },
      ],
      on: { 'close.requested': { target: 'closing', actions: 'noteTime' } },
      initial: 'recovering',
      states: {
        recovering: {
          initial: 'taking',
          states: {
            taking: {
              on: {
                'recovery.ended': { target: '#coordinator.open.leading', actions: 'noteTime' },
                'drain.requested': { target: 'draining', actions: 'noteTime' },
              },
            },
            draining: { on: { 'recovery.ended': '#coordinator.open.draining' } },
          },
        },
        leading: { on: { 'drain.requested': { target: 'draining', actions: 'noteTime' } } },
        draining: {},
      },
    },
    closing: {
      entry: 'stop',
      on: { 'parts.stopped': { target: 'closed', actions: 'noteTime' } },
    },
    closed: {},
  },
});

/** Number of pending approvals. */
function approvalCount(
  { waiting }: { readonly waiting: number },
  { type }: ApprovalStep,
): { readonly waiting: number } {
  return { waiting: waiting + (type === 'approval.requested' ? 1 : -1) };
}
