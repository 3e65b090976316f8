import { plural } from '@signalbox/api';
import { type Settings, UsageError } from '@signalbox/core';
import { checkBuiltInExamples, checkExamples } from '@signalbox/policy';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { settingsOnDisk, watchSettings } from '../../runtime/settings/watch-settings.ts';

type Asked = Readonly<{
  /** Only this rule; undefined: all. */
  rule: string | undefined;
  /** Again whenever a settings file changes, until an interrupt. */
  watch: boolean;
}>;

/** `signalbox policy test`: tries the examples of every rule, the built-in ones and yours. */
export async function testPolicy({ rule, watch }: Asked, context: Context): Promise<ExitCode> {
  return watch
    ? testAgainAndAgain(rule, context)
    : testOnce((await loadSettings(context)).settings, rule, context);
}

/** Returns the last result. */
async function testAgainAndAgain(rule: string | undefined, context: Context): Promise<ExitCode> {
  const interrupted = Promise.withResolvers<void>();
  let exit: ExitCode = EXIT.ok;
  const attempt = (test: () => ExitCode): void => {
    try {
      exit = test();
    } catch (error) {
      exit = EXIT.failed;
      context.reportError(error);
    }
  };
  const refuse = (error: unknown): void =>
    attempt(() => {
      throw error;
    });
  const unlisten = context.interrupts.listen(() => interrupted.resolve());
  const onDisk = settingsOnDisk(context);
  const stop = watchSettings(
    onDisk,
    { changed: ({ settings }) => attempt(() => testOnce(settings, rule, context)), refused: refuse },
    { clock: context.clock, staysAlive: true },
  );
  try {
    await onDisk.load().then(({ settings }) => attempt(() => testOnce(settings, rule, context)), refuse);
    context.say([line(muted('Waiting for a settings file to change. Ctrl-C stops.'))]);
    await interrupted.promise;
    return exit;
  } finally {
    stop();
    unlisten();
  }
}

/** @throws {UsageError} when no rule of that name has examples */
function testOnce(settings: Settings, rule: string | undefined, context: Context): ExitCode {
  const all = examplesOf(settings).filter((tried) => rule === undefined || tried.rule === rule);
  if (all.length === 0 && rule !== undefined) {
    throw new UsageError('unknown-rule', `Cannot test rule "${rule}": it does not exist or has no examples`, {
      next: ['signalbox rules', 'signalbox policy test'],
    });
  }
  const failed = all.filter(({ passes }) => !passes);
  context.answer({
    json: () => ({ passed: all.length - failed.length, failed }),
    lines: () => outcomeLines(all, failed),
  });
  return failed.length === 0 ? EXIT.ok : EXIT.failed;
}

type Tried = Readonly<{
  rule: string;
  source: string;
  text: string;
  expects: string;
  got: string;
  passes: boolean;
}>;

const BUILT_IN = 'built in';

function examplesOf(settings: Settings): readonly Tried[] {
  const own = settings.rules.flatMap(checkExamples).map((example): Tried => ({
    rule: example.rule.id,
    source: example.rule.source,
    text: example.text,
    expects: example.expects,
    got: example.got,
    passes: example.passes,
  }));
  const builtIn = checkBuiltInExamples().map(({ program, line: text, expects, got }): Tried => ({
    rule: program,
    source: BUILT_IN,
    text,
    expects,
    got,
    passes: got === expects,
  }));
  return [...builtIn, ...own];
}

function outcomeLines(all: readonly Tried[], failed: readonly Tried[]): readonly Line[] {
  const ofYours = all.filter(({ source }) => source !== BUILT_IN).length;
  return [
    ...failed.map((tried) =>
      line(
        as('danger', 'failed '),
        `${tried.rule} (${tried.source}): `,
        as('bold', tried.text),
        ` expected ${tried.expects}, got ${tried.got}`,
      ),
    ),
    line(
      failed.length === 0 ? as('ok', 'all passed') : as('danger', `${failed.length} failed`),
      muted(` · ${plural(all.length, 'example')}, ${ofYours} of your own rules`),
    ),
  ];
}
