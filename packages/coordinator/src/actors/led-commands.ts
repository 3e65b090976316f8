import type { CommandId, CommandRecord } from '@signalbox/core';
import type { CommandRunner } from '../command/command-runner.ts';
import { type HearSteps, ledCommand } from '../command/led-command.ts';
import type { LifeParts } from '../command/life-parts.ts';
import { createKeeper, type Keeper, type Kept } from './keeper.ts';
import type { Faults } from './tell-faults.ts';

/** A command that this coordinator leads: what drives it, and the actor in which others see its steps. */
export type LedCommand = CommandRunner & Kept;

/** The commands that a coordinator leads, each a child of the actor `commands`; there is no other list of them. */
export type LedCommands = HearSteps &
  Pick<LifeParts, 'collapsed'> &
  Pick<Keeper<LedCommand, CommandId>, 'logic' | 'remove'> & {
    /** In order of arrival. */
    readonly lives: ReadonlyMap<CommandId, LedCommand>;
    lead(record: CommandRecord, makeRunner: () => CommandRunner): LedCommand;
  };

export function createLedCommands(faults: Pick<Faults, 'note'>): LedCommands {
  const { logic, children, create, add, remove } = createKeeper<LedCommand, CommandId>({
    fault: faults.note,
  });
  return {
    logic,
    remove,
    lives: children,
    lead(record, makeRunner) {
      const actor = create(ledCommand, record.id, record);
      const life = { ...makeRunner(), actor };
      add(record.id, life);
      actor.start();
      return life;
    },
    stepped: (id, step) => children.get(id)?.actor.send(step),
    collapsed: (id, error) => faults.note({ actor: id, error }),
  };
}
