import { settingsJsonSchema } from '@signalbox/core';
import * as z from 'zod';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { line, muted } from '../../terminal/line.ts';
import { settingsFiles } from '../../runtime/settings/settings-files.ts';

/** `signalbox config list|get|set|unset|edit|migrate|trust|path|schema`: the effective settings. */
export const config = defineSubcommand({
  name: 'config',
  args: z.object({
    action: z
      .enum(['list', 'get', 'set', 'unset', 'edit', 'migrate', 'trust', 'path', 'schema'])
      .default('list'),
    key: z.string().optional(),
    value: z.string().optional(),
    origin: z.boolean().default(false),
    file: z.enum(['user', 'local', 'workspace']).optional(),
    yes: z.boolean().default(false),
  }),
  async run({ action, key, value, origin, file, yes }, context) {
    switch (action) {
      case 'list': {
        const { listSettings } = await import('./list-settings.ts');
        return listSettings({ origin }, context);
      }
      case 'get': {
        const { getSetting } = await import('./list-settings.ts');
        return getSetting(key, context);
      }
      case 'set':
      case 'unset': {
        const { setSetting } = await import('./set-setting.ts');
        return setSetting({ action, key, value, whose: file ?? 'local' }, context);
      }
      case 'edit': {
        const { editSettings } = await import('./edit-settings.ts');
        return editSettings({ whose: file ?? 'workspace' }, context);
      }
      case 'migrate': {
        const { migrateSettings } = await import('./migrate-settings.ts');
        return migrateSettings({ whose: file, isAgreed: yes }, context);
      }
      case 'trust': {
        const { trustSettings } = await import('./trust-settings.ts');
        return trustSettings({ isAgreed: yes }, context);
      }
      case 'path': {
        const files = settingsFiles(context);
        context.answer({
          json: () => files,
          lines: () => [
            line(files.user, muted('  yours, for all workspaces')),
            line(files.shared, muted('  shared')),
            line(files.yours, muted('  yours, for this workspace; the strongest file')),
          ],
        });
        return EXIT.ok;
      }
      case 'schema':
        context.write(`${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
        return EXIT.ok;
    }
  },
});
