import type { CommandRecord } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import type { House } from '../house.ts';
import type { SettingsOnDisk } from '../settings/watch-settings.ts';
import type { AskerDesk } from './approval-asker.ts';
import { localDesk } from './asker-desk.ts';
import { createRuleDesk } from './rule-desk.ts';

/** The questions of a house in this process, and rules that its person makes of them; they count at once. */
export function houseDesk(
  house: Pick<House, 'coordinator' | 'adoptPolicy'>,
  context: Context,
  {
    load,
    isWanted,
  }: Pick<SettingsOnDisk, 'load'> & { readonly isWanted?: (record: CommandRecord) => boolean },
): AskerDesk {
  const { coordinator } = house;
  const rules = createRuleDesk({
    context,
    sessionRules: coordinator.sessionRules,
    mode: async () => (await coordinator.mode()).mode,
    async adopt() {
      house.adoptPolicy((await load()).settings);
    },
  });
  return { ...localDesk(coordinator, { name: context.user, channel: 'terminal' }, isWanted), rules };
}
