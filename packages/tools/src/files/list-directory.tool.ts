import { defineTool, type FileEntry, visibleName } from '@signalbox/core';
import * as z from 'zod';
import { FilePath } from '../arguments.ts';
import { namingNearest } from './nearest-path.ts';
import { notShown } from './not-shown.ts';

const MARKS: Readonly<Record<FileEntry['kind'], string>> = {
  file: '',
  directory: '/',
  symlink: '@',
  other: '?',
};

export const listDirectory = defineTool({
  name: 'list_directory',
  aliases: ['directory.list', 'list'],
  description:
    'Lists the names in a directory of the workspace, one a line: `/` marks directories, `@` symbolic links (read_file follows those within the workspace), and files have their size in bytes.',
  requestKind: 'file_read',
  category: 'read_only',
  risk: 'low',
  retryable: true,
  args: z.strictObject({
    path: FilePath.default('.'),
    depth: z.int().min(1).max(10).default(1).describe('1: its own entries; more: those below as well'),
    limit: z.int().min(1).max(5000).default(500).describe('Maximum number of entries'),
  }),
  output: z.string(),
  describe: ({ path, depth }) => (depth === 1 ? path : `${path}, ${depth} levels`),
  reads: ({ path, depth }) => [{ path, depth }],
  effects: ({ path }) => [{ kind: 'read', path, scope: 'tree' }],
  async handle({ path, depth, limit }, { files }) {
    const { entries, truncated, hidden } = await namingNearest(path, { files, wanted: 'directory' }, () =>
      files.list(path, { depth, limit }),
    );
    const lines = entries.map(toLine);
    if (entries.length === 0) lines.push('[empty]');
    if (truncated) lines.push(`[more than ${limit} entries; list a directory below, or raise the limit]`);
    if (hidden > 0) lines.push(notShown(hidden, { one: 'entry', many: 'entries' }));
    return { output: lines.join('\n') };
  },
});

function toLine({ path, kind, bytes }: FileEntry): string {
  const name = visibleName(path);
  return kind === 'file' ? `${name}  ${bytes}` : `${name}${MARKS[kind]}`;
}
