import { open } from 'node:fs/promises';
import { CommandId } from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem } from '../problem.ts';
import { ownOnly } from './command-routes.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { unknownCommand } from './unknown-command.ts';

const MOST_AT_ONCE = 1024 * 1024;

const Part = z
  .strictObject({
    text: z.string(),
    from: z.int().describe('First byte of the text in the stream'),
    to: z.int().describe('Where the next part begins'),
    totalBytes: z.int().describe('Of the stream as it is kept'),
    complete: z.boolean().describe('Whether all that was printed is kept'),
  })
  .meta({ id: 'OutputPart' });

/** What a command printed, part by part, so that nobody has to load 64 MiB to see the end. */
export function outputRoutes(app: Routes, { coordinator, redactor }: RouteParts): void {
  app.get(
    '/api/commands/:id/output',
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'What a command printed, part by part',
        description: 'Parts begin and end between characters. A negative `from` counts from the end.',
        tags: ['commands'],
        params: z.object({ id: CommandId }),
        querystring: z.object({
          stream: z.enum(['stdout', 'stderr']).default('stdout'),
          from: z.coerce.number().int().default(0).describe('First byte wanted'),
          length: z.coerce
            .number()
            .int()
            .min(1)
            .max(MOST_AT_ONCE)
            .default(256 * 1024),
        }),
        response: { 200: Part, default: Problem },
      },
    },
    async (request) => {
      const { stream, from, length } = request.query;
      const record = await coordinator.status(request.params.id);
      const own = ownOnly(visitorOfRequest(request));
      if (record === null || (own !== null && record.context.provider !== own))
        throw unknownCommand(request.params.id);
      const { result } = record;
      const stored = Buffer.from(result?.[stream] ?? '');
      const file = result?.spillFiles[stream];
      const whole = file === undefined ? null : await readPart(file, from, length).catch(() => null);
      const part = whole ?? partOf(stored, from, length);
      return {
        text: redactor.redact(part.bytes.toString('utf8')),
        from: part.from,
        to: part.from + part.bytes.length,
        totalBytes: part.total,
        complete: whole !== null || result?.truncated === false,
      };
    },
  );
}

type Bytes = { readonly bytes: Buffer; readonly from: number; readonly total: number };

async function readPart(file: string, from: number, length: number): Promise<Bytes> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = startOf(from, size);
    const buffer = Buffer.alloc(Math.min(length, size - start));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return betweenCharacters(buffer.subarray(0, bytesRead), start, size);
  } finally {
    await handle.close();
  }
}

function partOf(all: Buffer, from: number, length: number): Bytes {
  const start = startOf(from, all.length);
  return betweenCharacters(all.subarray(start, start + length), start, all.length);
}

function startOf(from: number, size: number): number {
  return from < 0 ? Math.max(0, size + from) : Math.min(from, size);
}

/** Without the halves of characters at both ends; they belong to the parts beside it. */
function betweenCharacters(bytes: Buffer, start: number, total: number): Bytes {
  let first = 0;
  if (start > 0) while (first < Math.min(3, bytes.length) && isContinuation(bytes[first])) first += 1;
  let end = bytes.length;
  if (start + end < total) end = endOfWhole(bytes);
  return { bytes: bytes.subarray(first, Math.max(first, end)), from: start + first, total };
}

function endOfWhole(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && lead > 0 && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead] ?? 0;
  const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead + wanted <= bytes.length ? bytes.length : Math.max(lead, 1);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
