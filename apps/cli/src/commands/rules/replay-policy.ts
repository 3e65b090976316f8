import { type CommandRecord, shortId, UsageError } from '@signalbox/core';
import { replay } from '@signalbox/policy';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withRecords } from '../../client/readers/with-records.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { tableLines } from '../../terminal/table.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { draftSettings } from './draft-settings.ts';
import { createQuestions } from '../../runtime/rules/questions.ts';

/** At most this many commands are replayed. */
const MAX_COMMANDS = 100_000;

type Asked = Readonly<{
  since: number;
  file: string | undefined;
  /** Which changes are listed and fail the check: all, those in one direction, or those with this new ruling. */
  only: 'flips' | 'looser' | 'stricter' | 'allow' | 'ask' | 'deny';
}>;

/**
 * `signalbox policy replay --since 7d NEW.yaml`: judges recorded commands by a draft, each in its mode at that time;
 * exit code 1 when a ruling changes.
 */
export async function replayPolicy({ since, file, only }: Asked, context: Context): Promise<ExitCode> {
  if (file === undefined) {
    throw new UsageError('usage', 'Cannot replay: name a draft', {
      next: ['signalbox policy replay signalbox.new.yaml'],
    });
  }
  const loaded = await loadSettings(context);
  const draft = await draftSettings(loaded, { file, cwd: context.cwd });
  const questions = createQuestions(context, loaded.settings);
  const records = await withRecords(context, ({ store }) =>
    store.list({ from: context.clock.now() - since, limit: MAX_COMMANDS }),
  );
  const recorded = records.flatMap((record) => {
    const question = questions.ofRecord(record, record.mode ?? loaded.settings.mode);
    return question === null ? [] : [{ id: record, question }];
  });
  const { same, changed } = replay(recorded, {
    current: questions.policyOf(loaded.settings),
    draft: questions.policyOf(draft),
  });
  const listed = changed.filter((flip) => only === 'flips' || flip.turn === only || flip.now.kind === only);
  const rows = listed.map(({ id: command, was, now, turn }) => ({
    command: toData(command),
    was,
    now,
    turn,
  }));
  context.json({ same, flips: changed.length, changed: rows });
  const render = context.render();
  await context.page([
    ...(rows.length === 0
      ? []
      : tableLines(
          [
            { title: 'ID' },
            { title: 'PROVIDER' },
            { title: 'COMMAND', gives: 'end' },
            { title: 'WAS' },
            { title: 'NOW' },
            { title: 'BY RULE' },
          ],
          rows.map(({ command, was, now, turn }) => [
            shortId(command.id),
            command.provider,
            as('bold', command.title),
            was.kind,
            as(turn === 'looser' ? 'danger' : 'warn', now.kind),
            muted(`${now.rule} (${now.source})`),
          ]),
          render,
        )),
    line(
      rows.length === 0 ? as('ok', NONE[only]) : as('danger', `${rows.length} flip`),
      muted(only === 'flips' ? '' : ` · ${changed.length} flips in all`),
      muted(` · ${same} unchanged`),
    ),
  ]);
  return listed.length === 0 ? EXIT.ok : EXIT.failed;
}

const NONE: Readonly<Record<Asked['only'], string>> = {
  flips: 'no ruling flips',
  looser: 'nothing is newly let through',
  stricter: 'nothing is newly held back',
  allow: 'nothing flips to allow',
  ask: 'nothing flips to ask',
  deny: 'nothing flips to deny',
};

function toData({ id, title, context }: CommandRecord) {
  return { id, title, provider: context.provider };
}
