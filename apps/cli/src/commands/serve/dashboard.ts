import * as z from 'zod';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { dashboardLink } from './dashboard-link.ts';
import { isAtDesktop, openDashboard } from './open-dashboard.ts';

/** `signalbox dashboard`: opens the dashboard, and prints a link that opens it once. */
export const dashboard = defineSubcommand({
  name: 'dashboard',
  args: z.object({ open: z.boolean().default(true) }),
  async run({ open }, context) {
    refuseInsideCommand(context, 'create a link to the dashboard');
    const access = await connectCoordinator(context, { what: 'open the dashboard', start: true });
    const link = await dashboardLink(access);
    context.answer({ json: () => link, lines: () => [line(as('accent', link.url))] });
    const opens = open && isAtDesktop(context);
    context.say([
      line(muted(`${opens ? 'opening in your browser · this link ' : ''}works once, within 2 minutes`)),
    ]);
    // With its own link: the printed one stays valid for another browser.
    if (opens) await openDashboard(access, context);
    return EXIT.ok;
  },
});
