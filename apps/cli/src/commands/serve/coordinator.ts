import * as z from 'zod';
import { openCoordinator } from './open-coordinator.ts';
import { createStartReporter } from '../../client/start-report.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { interrupted } from '../../live/interrupted.ts';
import { endByDeadline } from './stop-deadline.ts';
import { as, line } from '../../terminal/line.ts';

/** `signalbox coordinator`, started by clients: leads the workspace in the background until it is stopped. */
export const coordinator = defineSubcommand({
  name: 'coordinator',
  args: z.object({}),
  async run(_, context) {
    const reporter = createStartReporter();
    const endInTime = (): void =>
      endByDeadline({
        say: (text) => context.say([line(as('warn', text))]),
        exit: (exitCode) => process.exit(exitCode),
      });
    // Before any client can find it: without the handler, a signal would end the process without a shutdown.
    const stopped = interrupted(context).then(endInTime);
    const opened = await openCoordinator(context, { onRecovery: reporter.recovering }).catch(
      (error: unknown) => {
        reporter.started(error);
        throw error;
      },
    );
    reporter.started(null);
    // A signal is a restart of the machine or of this process, not a wish of people to end their runs.
    await Promise.race([stopped.then(opened.leave), opened.ended.then(endInTime).then(opened.close)]);
    return EXIT.ok;
  },
});
