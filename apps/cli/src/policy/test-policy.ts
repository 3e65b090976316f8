import { UsageError } from '@signalbox/core';
import { checkBuiltInExamples, checkExamples } from '@signalbox/policy';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { as, line, muted } from '../screen/line.ts';
import { loadSettings } from '../settings/load-settings.ts';

type Tried = Readonly<{
  rule: string;
  source: string;
  text: string;
  expects: string;
  got: string;
  passes: boolean;
}>;

/** `signalbox policy test`: tries the examples of every rule, the built-in ones and yours. */
export async function testPolicy(
  { rule }: { readonly rule: string | undefined },
  context: Context,
): Promise<ExitCode> {
  const { settings } = await loadSettings(context);
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
    source: 'built in',
    text,
    expects,
    got,
    passes: got === expects,
  }));
  const all = [...builtIn, ...own].filter((tried) => rule === undefined || tried.rule === rule);
  if (all.length === 0 && rule !== undefined) {
    throw new UsageError(
      'unknown-rule',
      `Cannot test rule "${rule}": it has no examples, or there is none of that name`,
      {
        next: ['signalbox rules', 'signalbox policy test'],
      },
    );
  }
  const failed = all.filter(({ passes }) => !passes);
  const ofYours = own.filter((tried) => rule === undefined || tried.rule === rule).length;
  context.answer({
    json: () => ({ passed: all.length - failed.length, failed }),
    lines: () => [
      ...failed.map((tried) =>
        line(
          as('danger', 'failed '),
          `${tried.rule} (${tried.source}): `,
          as('bold', tried.text),
          ` must be ${tried.expects}, and is ${tried.got}`,
        ),
      ),
      line(
        failed.length === 0 ? as('ok', 'all passed') : as('danger', `${failed.length} failed`),
        muted(` · ${all.length} examples, ${ofYours} of your own rules`),
      ),
    ],
  });
  return failed.length === 0 ? EXIT.ok : EXIT.failed;
}
