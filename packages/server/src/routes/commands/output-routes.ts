import { MAX_OUTPUT_PAGE_BYTES, readOutput, searchOutput as searchOperation } from '@signalbox/api';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { searchOutput } from '@signalbox/coordinator';
import type { CommandId } from '@signalbox/core';
import { visitorOfRequest } from '../../access/authenticate.ts';
import type { Visitor } from '../../access/token-entry.ts';
import { ownOnly } from './command-routes.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { notKept, unknownCommand } from './unknown-command.ts';

/** A command's output in parts, so that a client sees the end or finds a word without loading all of it. */
export function outputRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator } = parts;
  app.get(
    readOutput.url,
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'Output of a command, in parts',
        description: 'Parts begin and end between characters. A negative `from` counts from the end.',
        tags: ['commands'],
        ...readOutput.schema,
      },
    },
    async (request) => {
      const { stream, from, length } = request.query;
      const { stored, file, isWhole } = await printed(request.params.id, stream, visitorOfRequest(request));
      const part =
        (file === null ? null : await readPart(file, { from, length }).catch(() => null)) ??
        partOf(stored, { from, length });
      return {
        text: part.bytes.toString('utf8'),
        from: part.from,
        to: part.from + part.bytes.length,
        totalBytes: part.total,
        complete: isWhole,
      };
    },
  );

  app.get(
    searchOperation.url,
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'Lines of a command’s output that contain a text, ignoring case',
        tags: ['commands'],
        ...searchOperation.schema,
      },
    },
    async (request) => {
      const { stream, ...wanted } = request.query;
      const { stored, file } = await printed(request.params.id, stream, visitorOfRequest(request));
      const chunks =
        file === null
          ? Readable.from([stored.subarray(wanted.from)])
          : createReadStream(file, { start: wanted.from, highWaterMark: MAX_OUTPUT_PAGE_BYTES });
      const found = await searchOutput(chunks, wanted);
      return found;
    },
  );

  /** The stored part of a stream, redacted: in a file when it is long. */
  async function printed(id: CommandId, stream: 'stdout' | 'stderr', visitor: Visitor) {
    const record = await coordinator.status(id);
    const own = ownOnly(visitor);
    if (record === null) throw await notKept(parts, id, { own });
    if (own !== null && record.context.provider !== own) throw unknownCommand(id);
    const { result } = record;
    const spilled = result?.spillFiles[stream];
    const file = spilled === undefined ? null : await coordinator.shownOutputs.of(spilled);
    return {
      stored: Buffer.from(result?.[stream] ?? ''),
      file,
      isWhole: file !== null || result?.truncated === false,
    };
  }
}

type Bytes = { readonly bytes: Buffer; readonly from: number; readonly total: number };

async function readPart(
  file: string,
  { from, length }: Readonly<{ from: number; length: number }>,
): Promise<Bytes> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = startOf(from, size);
    const buffer = Buffer.alloc(Math.min(length, size - start));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return betweenCharacters(buffer.subarray(0, bytesRead), { start, total: size });
  } finally {
    await handle.close();
  }
}

function partOf(all: Buffer, { from, length }: Readonly<{ from: number; length: number }>): Bytes {
  const start = startOf(from, all.length);
  return betweenCharacters(all.subarray(start, start + length), { start, total: all.length });
}

function startOf(from: number, size: number): number {
  return from < 0 ? Math.max(0, size + from) : Math.min(from, size);
}

/** Drops partial characters at both ends; they belong to the neighbouring parts. */
function betweenCharacters(
  bytes: Buffer,
  { start, total }: Readonly<{ start: number; total: number }>,
): Bytes {
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
