import { runOnTerminal } from '@signalbox/sandbox/programs';
import { askYes } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { plainEnv } from '../../terminal/plain-env.ts';
import { as, line, muted } from '../../terminal/line.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';

/** Beginnings of fixes that are commands, not words for a person: package installation and kernel switches. */
const COMMAND =
  /^(?:sudo )?(?:apt-get install -y|dnf install -y|pacman -S --noconfirm|apk add|zypper install -y|brew install|sysctl -w) [\w.=+-]+$/;

/** The fixes that can be run, each once. */
export function runnableFixes(checks: readonly DoctorCheck[]): readonly string[] {
  const fixes = checks.flatMap(({ ok, fix }) => (ok || fix === undefined ? [] : fix.split('; ')));
  return [...new Set(fixes.filter((fix) => COMMAND.test(fix)))];
}

/** Shows each fix, and runs it only after a yes; returns whether any was run. */
export async function runFixes(fixes: readonly string[], context: Context): Promise<boolean> {
  let hasRun = false;
  for (const fix of fixes) {
    context.tell([line('fix  ', as('accent', fix))]);
    if (!(await askYes('Run this on your machine, as you?', context))) {
      context.say([line(muted('  not run'))]);
      continue;
    }
    const exitCode = await runOnTerminal(['/bin/sh', '-c', fix], {
      cwd: context.directory,
      env: plainEnv(context.env),
    });
    hasRun = true;
    const end = exitCode === null ? 'killed by a signal' : `failed with ${exitCode}`;
    context.tell([line('  ', exitCode === 0 ? as('ok', 'done') : as('danger', end))]);
  }
  return hasRun;
}
