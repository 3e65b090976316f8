import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { as, line, muted } from '../screen/line.ts';
import { askServer } from '../serve/ask-server.ts';
import { localAccess } from '../serve/local-access.ts';

const Code = z.object({ code: z.string(), expiresAt: z.number() });

/** `signalbox dashboard`: a link that opens the dashboard of the running server once. */
export const dashboard = defineSubcommand({
  name: 'dashboard',
  args: z.object({}),
  async run(_, context) {
    refuseInsideCommand(context, 'make a link to the dashboard');
    const access = localAccess(context.directory, 'open the dashboard');
    const { code, expiresAt } = await askServer(
      access,
      { method: 'POST', path: '/api/entry-codes', body: {} },
      Code,
    );
    // Behind the #: browsers send it nowhere and servers log it nowhere.
    const url = `${access.url}/#enter=${code}`;
    context.answer({
      json: () => ({ url, expiresAt }),
      lines: () => [line(as('accent', url))],
    });
    context.say([line(muted('opens once, within two minutes'))]);
    return EXIT.ok;
  },
});
