import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { as, line, muted } from '../screen/line.ts';
import { dashboardLink } from '../serve/dashboard-link.ts';
import { localAccess } from '../serve/local-access.ts';

/** `signalbox dashboard`: a link that opens the dashboard of the running server once. */
export const dashboard = defineSubcommand({
  name: 'dashboard',
  args: z.object({}),
  async run(_, context) {
    refuseInsideCommand(context, 'make a link to the dashboard');
    const link = await dashboardLink(localAccess(context.directory, 'open the dashboard'));
    context.answer({ json: () => link, lines: () => [line(as('accent', link.url))] });
    context.say([line(muted('opens once, within two minutes'))]);
    return EXIT.ok;
  },
});
