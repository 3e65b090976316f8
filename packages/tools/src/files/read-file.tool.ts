import { defineTool, type ToolContext, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import { FILE_ALIASES, FilePath } from '../arguments.ts';
import { namingNearest } from './nearest-path.ts';
import { type Cut, cutLines } from './line-range.ts';

const MEBIBYTE = 1024 * 1024;

export const readFile = defineTool({
  name: 'read_file',
  aliases: ['file.read', 'file_read', 'read'],
  description:
    'Reads a text file of the workspace, as it is, without line numbers. Give firstLine and lastLine for a part of a long file. ' +
    'Read a file before you change it: a change is rejected when the file is not the one you read.',
  requestKind: 'file_read',
  category: 'read_only',
  risk: 'low',
  retryable: true,
  argAliases: FILE_ALIASES,
  args: z.strictObject({
    path: FilePath,
    firstLine: z.int().min(1).optional().describe('First line wanted, from 1'),
    lastLine: z.int().min(1).optional().describe('Last line wanted, included'),
    maxSizeMb: z.number().positive().max(10).default(10).describe('Reject a longer file; at most 10'),
  }),
  output: z.string(),
  describe: ({ path, firstLine, lastLine }) =>
    firstLine === undefined && lastLine === undefined ? path : `${path}:${firstLine ?? 1}-${lastLine ?? ''}`,
  reads: ({ path }) => [{ path }],
  effects: ({ path }) => [{ kind: 'read', path, scope: 'file' }],
  async handle({ path, firstLine, lastLine, maxSizeMb }, context) {
    const file = await readNoting(path, Math.floor(maxSizeMb * MEBIBYTE), context);
    const cut = cutLines(file.text, { firstLine, lastLine });
    if (cut.lastLine < cut.firstLine && file.text !== '') {
      throw new ToolFailure({
        code: 'no-such-lines',
        category: 'InvalidParameters',
        message: `Cannot read lines ${firstLine ?? 1} to ${lastLine ?? 'the last'} of "${file.path}": it has ${cut.totalLines}`,
        suggestion: 'Ask for existing lines, with lastLine not before firstLine',
      });
    }
    return {
      output: withNotice(cut),
      files: [{ path: file.path, kind: 'read', hash: file.hash }],
    };
  },
});

/** Reads a file and records it as the session's read hash, even if it doesn't exist. */
async function readNoting(path: string, maxBytes: number, { files, readHashes }: ToolContext) {
  try {
    const file = await namingNearest(path, { files }, () => files.readText(path, { maxBytes }));
    readHashes.note(file.path, { hash: file.hash, text: file.text });
    return file;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === 'not-found') {
      readHashes.note(files.normalise(path), { hash: null, text: null });
    }
    throw error;
  }
}

/** Adds a line, so that no model takes a part for the whole file. */
function withNotice({ text, firstLine, lastLine, totalLines, brokeLine }: Cut): string {
  if (firstLine === 1 && lastLine === totalLines && !brokeLine) return text;
  const what = brokeLine ? `the beginning of line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return `[${what} of ${totalLines}; ask for others with firstLine and lastLine]\n${text}`;
}
