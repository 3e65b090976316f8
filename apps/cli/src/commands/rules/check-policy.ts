import { plural } from '@signalbox/api';
import { lintRules } from '@signalbox/policy';
import { catalogue } from '@signalbox/tools';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { draftSettings } from './draft-settings.ts';

/** `signalbox policy check [FILE] --strict`: finds valid rules that are probably mistakes. */
export async function checkPolicy(
  { file, strict }: { readonly file: string | undefined; readonly strict: boolean },
  context: Context,
): Promise<ExitCode> {
  const loaded = await loadSettings(context);
  const settings =
    file === undefined ? loaded.settings : await draftSettings(loaded, { file, cwd: context.cwd });
  const tools = catalogue().flatMap(({ name, aliases }) => [name, ...aliases]);
  const problems = lintRules(settings, { tools, now: context.clock.now() });
  context.answer({
    json: () => ({ problems }),
    lines: () => [
      ...problems.map(({ rule, source, message }) =>
        line(as('warn', 'warning '), as('bold', rule), muted(` (${source}) `), message),
      ),
      problems.length === 0
        ? line(as('ok', 'no problems'), muted(` · ${plural(settings.rules.length, 'rule')} of your own`))
        : line(muted(`${problems.length} of ${settings.rules.length} rules have problems`)),
    ],
  });
  return strict && problems.length > 0 ? EXIT.failed : EXIT.ok;
}
