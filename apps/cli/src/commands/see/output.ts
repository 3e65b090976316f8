import type { CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { line, muted } from '../../terminal/line.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { refusedConnections } from '../../views/command/refused-connections.ts';
import {
  answeredText,
  killedView,
  leftOut,
  outputHead,
  outputView,
} from '../../views/command/output-view.ts';

/** `signalbox output e7pa`: only the text on standard output, raw unless that is a terminal. */
export const output = defineSubcommand({
  name: 'output',
  args: z.object({
    id: z.string(),
    stderr: z.boolean().default(false),
    tail: CountArgument.optional(),
    follow: z.boolean().default(false),
  }),
  run: ({ id, stderr, tail, follow }, context) =>
    withReader(context, async (reader) => {
      const record = await findCommand(reader.commands, id);
      if (follow && record.result === null) return printAsItComes(record, stderr, { reader, context });
      const render = context.noticeRender();
      const { result } = record;
      context.say([outputHead(record, render), ...killedView(record, render), ...refusedConnections(result)]);
      if (result === null) {
        context.say([
          line(muted(`Not finished yet: ${record.state}. --follow shows its output as it is printed.`)),
        ]);
        return EXIT.ok;
      }
      const streams = stderr ? ['stderr' as const] : (['stdout', 'stderr'] as const);
      const texts = await Promise.all(streams.map((stream) => reader.printed(record, stream)));
      const text = texts.filter((part) => part !== '').join('\n');
      context.json({
        stdout: result.stdout,
        stderr: result.stderr,
        truncated: result.truncated,
        bytes: Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr),
      });
      if (context.flags.json) return EXIT.ok;
      const shown = text === '' ? answeredText(result) : text;
      if (context.terminal.stdout.tty) {
        if (tail !== undefined) context.say(leftOut(record, shown, { tail, render }));
        context.print(outputView(shown, tail));
      } else {
        const rows = shown.replace(/\n$/, '').split('\n');
        context.write(`${(tail === undefined ? rows : rows.slice(-tail)).join('\n')}\n`);
      }
      return EXIT.ok;
    }),
});

async function printAsItComes(
  record: CommandRecord,
  onlyErrors: boolean,
  { reader, context }: Readonly<{ reader: Reader; context: Context }>,
): Promise<ExitCode> {
  const isScreen = context.terminal.stdout.tty;
  context.say([outputHead(record, context.noticeRender())]);
  const say = (what: string): void => context.say([line(muted(what))]);
  let open = '';
  for await (const { stream, text } of reader.follow(record, say)) {
    if (onlyErrors && stream === 'stdout') continue;
    context.json({ stream, text });
    if (context.flags.json) continue;
    const rows = (open + text).split('\n');
    open = rows.pop() ?? '';
    if (!isScreen) context.write(text);
    else if (rows.length > 0) context.print(outputView(rows.join('\n')));
  }
  if (isScreen && open !== '') context.print(outputView(open));
  const ended = await reader.commands.get(record.id);
  if (ended !== null) {
    const render = context.noticeRender();
    context.say([
      ...refusedConnections(ended.result),
      outputHead(ended, render),
      ...killedView(ended, render),
    ]);
  }
  return EXIT.ok;
}
