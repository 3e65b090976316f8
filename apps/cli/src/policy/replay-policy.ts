import { type CommandRecord, shortId, UsageError } from '@signalbox/core';
import { replay } from '@signalbox/policy';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { withRecords } from '../frame/with-records.ts';
import { as, line, muted } from '../screen/line.ts';
import { tableLines } from '../screen/table.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { draftSettings } from './draft-settings.ts';
import { createDesk } from './questions.ts';

/** More than this many commands are not looked at. */
const MOST = 100_000;

/** `signalbox policy replay --since 7d --with FILE`: recorded commands judged by a draft; exit code 1 when a ruling flips. */
export async function replayPolicy(
  { since, file }: { readonly since: number; readonly file: string | undefined },
  context: Context,
): Promise<ExitCode> {
  if (file === undefined) {
    throw new UsageError('usage', 'Cannot replay: say which draft', {
      next: ['signalbox policy replay --with signalbox.new.yaml'],
    });
  }
  const loaded = await loadSettings(context);
  const draft = await draftSettings(loaded, { file, directory: context.directory });
  const desk = createDesk(context, loaded.settings);
  const records = await withRecords(context, ({ store }) =>
    store.list({ from: context.clock.now() - since, limit: MOST }),
  );
  const recorded = records.flatMap((record) => {
    const question = desk.ofRecord(record, loaded.settings.mode);
    return question === null ? [] : [{ id: record, question }];
  });
  const { same, changed } = replay(recorded, {
    current: desk.policyOf(loaded.settings),
    draft: desk.policyOf(draft),
  });
  const rows = changed.map(({ id: command, was, now, turn }) => ({
    command: toData(command),
    was,
    now,
    turn,
  }));
  context.answer({
    json: () => ({ same, changed: rows }),
    lines: (look) => [
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
            look,
          )),
      line(
        rows.length === 0 ? as('ok', 'no ruling flips') : as('danger', `${rows.length} flip`),
        muted(` · ${same} stay as they are`),
      ),
    ],
  });
  return changed.length === 0 ? EXIT.ok : EXIT.failed;
}

function toData({ id, title, context }: CommandRecord) {
  return { id, title, provider: context.provider };
}
