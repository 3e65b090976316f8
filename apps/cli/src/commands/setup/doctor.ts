import * as z from 'zod';
import { findChecks } from './find-checks.ts';
import { ProviderArgument } from '../table/argument-schemas.ts';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, line } from '../../terminal/line.ts';
import { type DoctorCheck, doctorView } from '../../views/doctor-view.ts';

/** `signalbox doctor`: each check is a real try, not a guess from versions. */
export const doctor = defineSubcommand({
  name: 'doctor',
  args: z.object({ fix: z.boolean().default(false), provider: ProviderArgument.optional() }),
  async run({ fix, provider }, context) {
    if (provider !== undefined) return checkProvider(provider, context);
    if (fix) refuseInsideCommand(context, 'change this machine');
    const checks = await findChecks(context);
    if (!fix) return tell(checks, context);
    const { runFixes, runnableFixes } = await import('./run-fixes.ts');
    const fixes = runnableFixes(checks);
    if (fixes.length === 0 || !canAsk(context)) {
      const exit = tell(checks, context);
      if (fixes.length === 0) context.say([line('There is nothing for --fix to run')]);
      else context.tell([line(as('warn', 'Nothing was run: '), 'there is no terminal to confirm on')]);
      return fixes.length === 0 ? exit : EXIT.needsApproval;
    }
    context.tell(doctorView(checks, context.noticeRender().width));
    return tell((await runFixes(fixes, context)) ? await findChecks(context) : checks, context);
  },
});

async function checkProvider(id: string, context: Context): Promise<ExitCode> {
  const { tryProvider } = await import('./try-provider.ts');
  const check = await tryProvider(id, context);
  tell([check], context);
  return check.ok ? EXIT.ok : EXIT.unavailable;
}

function tell(checks: readonly DoctorCheck[], context: Context): ExitCode {
  context.answer({ json: () => ({ checks }), lines: ({ width }) => doctorView(checks, width) });
  return checks.some(({ ok, stops }) => !ok && stops) ? EXIT.failed : EXIT.ok;
}
