import type { CommandId, CommandRecord } from '@signalbox/core';
import type { CommandRunner } from '../command/command-runner.ts';
import { type StepListener, ledCommand } from '../command/led-command.ts';
import type { RunnerDependencies } from '../command/runner-dependencies.ts';
import { createActorGroup, type ActorGroup, type GroupMember } from './actor-group.ts';
import type { FaultLog } from './fault-log.ts';

/** A command led by this coordinator: its runner, and the actor that publishes its steps. */
export type LedCommand = CommandRunner & GroupMember;

/** The commands led by this coordinator, each a child of the actor `commands`; there is no other list of them. */
export type LedCommands = StepListener &
  Pick<RunnerDependencies, 'collapsed'> &
  Pick<ActorGroup<LedCommand, CommandId>, 'logic' | 'remove'> & {
    /** In order of arrival. */
    readonly runners: ReadonlyMap<CommandId, LedCommand>;
    lead(record: CommandRecord, makeRunner: () => CommandRunner): LedCommand;
  };

export function createLedCommands(faults: Pick<FaultLog, 'note'>): LedCommands {
  const { logic, children, create, add, remove } = createActorGroup<LedCommand, CommandId>({
    fault: faults.note,
  });
  return {
    logic,
    remove,
    runners: children,
    lead(record, makeRunner) {
      const actor = create(ledCommand, record.id, record);
      const runner = { ...makeRunner(), actor };
      add(record.id, runner);
      actor.start();
      return runner;
    },
    stepped: (id, step) => children.get(id)?.actor.send(step),
    collapsed: (id, error) => faults.note({ actor: id, error }),
  };
}
