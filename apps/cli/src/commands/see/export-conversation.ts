import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportSession } from '@signalbox/api';
import type { SessionId } from '@signalbox/core';
import { fetchAt, textOf } from '../../client/fetch-at.ts';
import { findSession } from '../../client/readers/find-session.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import { accessTo } from '../../client/readers/with-coordinator.ts';
import { jsonOf, refusalOf } from '../../client/send-to.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { as, line } from '../../terminal/line.ts';

type ExportedFormat = 'jsonl' | 'markdown';

/** Writes the whole conversation of a session to a file, or to standard output. */
export async function exportConversation(
  typed: string,
  { format, output }: Readonly<{ format: ExportedFormat | undefined; output: string | undefined }>,
  context: Context,
): Promise<ExitCode> {
  const access = await accessTo(context, { what: 'export a session', start: true });
  const id = await findSession(serverReader(access, context.clock).commands, typed);
  const isMarkdown = output !== undefined && /\.(?:md|markdown)$/i.test(output);
  const body = await bodyOf(access, id, { format: format ?? (isMarkdown ? 'markdown' : 'jsonl') });
  if (output === undefined || output === '-') await print(body, context);
  else await save(body, resolve(context.cwd, output));
  if (output !== undefined && output !== '-')
    context.say([line(as('ok', '✓'), ` Session ${id} is written to ${output}`)]);
  return EXIT.ok;
}

/** @throws {UsageError} `unknown-session` if the server has none of that id */
async function bodyOf(
  access: LocalAccess,
  id: SessionId,
  { format }: Readonly<{ format: 'jsonl' | 'markdown' }>,
): Promise<AsyncIterable<Uint8Array>> {
  const url = exportSession.url.replace(':id', id);
  const answer = await fetchAt(access, `${url}?format=${format}`);
  if (answer.status === 200) return answer.body;
  throw refusalOf(access.url, answer.status, { body: jsonOf(await textOf(answer)) });
}

async function print(body: AsyncIterable<Uint8Array>, context: Context): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of body) context.write(decoder.decode(bytes, { stream: true }));
}

/** For its owner alone: a conversation holds what the model read. A half one is removed. */
async function save(body: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  try {
    await pipeline(Readable.from(body), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
