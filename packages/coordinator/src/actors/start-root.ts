import type { Clock, EventLog, Logger, Nodes, SessionId } from '@signalbox/core';
import { createActor, fromCallback } from 'xstate';
import type { Coordinator, ModeState } from '../coordinator-api.ts';
import { type CoordinatorEvent, coordinatorMachine } from '../coordinator.machine.ts';
import type { leadMode } from '../mode/lead-mode.ts';
import type { LedSession } from '../session/led-session.ts';
import { createActorGroup } from './actor-group.ts';
import { createLedCommands } from './led-commands.ts';
import { logSteps } from './log-steps.ts';
import { readActors } from './read-actors.ts';
import type { SourceStep } from './settings-sources.ts';
import { createFaultLog } from './fault-log.ts';

/** Starts the root actor of a coordinator with all of its children. */
export function startRoot(parts: {
  readonly clock: Clock;
  readonly events: Pick<EventLog, 'append'>;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  /** Log each step of each actor. */
  readonly inspect?: boolean | undefined;
  readonly mode: () => Promise<ModeState>;
  readonly modeWatch: ReturnType<typeof leadMode>;
  /** Undefined if the workspace has one coordinator. */
  readonly members: Nodes | undefined;
  /** Called on closing, to end what only an open coordinator does. */
  readonly leave: () => void;
  /** Called when the coordinator is asked to close. */
  readonly stop: () => void;
}) {
  const { clock, logger, members } = parts;
  const faults = createFaultLog({ ...parts, now: () => clock.now() });
  const commands = createLedCommands(faults);
  const sessions = createActorGroup<LedSession, SessionId>({ fault: faults.note, empty: () => endIfOver() });

  const nodes = fromCallback(({ self }) => {
    const forward = (type: string) => (): void => self.send({ type });
    const unlisten = [
      members?.onDead(forward('node.died')),
      members?.onReturned(forward('node.returned')),
      members?.onRestored(forward('backend.restored')),
    ];
    return () => {
      for (const end of unlisten) end?.();
      parts.leave();
    };
  });

  const actor = createActor(
    coordinatorMachine.provide({
      actors: { modeWatch: parts.modeWatch, commands: commands.logic, sessions: sessions.logic, nodes },
      actions: { reportFault: (_, fault) => faults.tell(fault), stop: parts.stop },
    }),
    {
      input: { at: clock.now() },
      ...(parts.inspect === true ? { inspect: logSteps(logger) } : {}),
    },
  );
  actor.start();

  const is = (state: Parameters<ReturnType<typeof actor.getSnapshot>['matches']>[0]): boolean =>
    actor.getSnapshot().matches(state);

  /** A session may still write its last events when its coordinator is closed. */
  function endIfOver(): void {
    if (is('closed') && sessions.children.size === 0) actor.stop();
  }

  function send(type: CoordinatorEvent['type']): void {
    if (actor.getSnapshot().status === 'active') actor.send({ type, at: clock.now() });
    endIfOver();
  }

  function reportSource(step: SourceStep): void {
    actor.getSnapshot().children.settings?.send(step);
  }

  const shown: Pick<
    Coordinator,
    'sessions' | 'actors' | 'drain' | 'isEnding' | 'settingsRefused' | 'settingsAccepted'
  > = {
    sessions,
    actors: () => readActors({ actor, commands, sessions, faults: faults.records }, parts),
    drain: () => send('drain.requested'),
    isEnding: () => is({ open: 'draining' }) || is({ open: { recovering: 'draining' } }) || !is('open'),
    settingsRefused: (source, why) =>
      reportSource({ type: 'source.refused', source, why: parts.redact(why), at: clock.now() }),
    settingsAccepted: (source) => reportSource({ type: 'source.accepted', source, at: clock.now() }),
  };

  return {
    is,
    send,
    commands,
    reportSource,
    /** The part visible to others. */
    shown,
  };
}
