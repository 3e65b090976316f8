import {
  defineTool,
  type Execution,
  type Files,
  type Program,
  type StampPath,
  ToolFailure,
  visibleName,
} from '@signalbox/core';
import * as z from 'zod';
import { FilePath } from '../arguments.ts';
import { namingNearest } from './nearest-path.ts';
import { notShown } from './not-shown.ts';
import { type FoundLine, parseRipgrep } from './ripgrep-output.ts';

const MAX_LINE_LENGTH = 400;

const Args = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(4096)
    .describe("A regular expression in Rust's syntax, or text with literal"),
  path: FilePath.default('.').describe('File or directory to search'),
  literal: z.boolean().default(false).describe('true: the pattern is plain text'),
  ignoreCase: z.boolean().default(false),
  glob: z.string().min(1).max(1000).optional().describe('Only files whose path matches: *.ts, !test/**'),
  contextLines: z.int().min(0).max(10).default(0).describe('Lines shown around each match'),
  maxMatches: z.int().min(1).max(1000).default(200),
});
type Args = z.infer<typeof Args>;

export const searchFiles = defineTool({
  name: 'search_files',
  aliases: ['files.search', 'search', 'grep'],
  description:
    'Searches the text files of the workspace, line by line, and lists path:line:text. Files that git ignores and hidden ones are left out.',
  requestKind: 'file_read',
  category: 'read_only',
  risk: 'low',
  requiresSandbox: true,
  retryable: true,
  args: Args,
  output: z.string().nullable(),
  describe: ({ pattern, path }) => (path === '.' ? pattern : `${pattern} in ${path}`),
  reads: ({ path }) => [{ path }, ...ignoreFiles(path)],
  effects: ({ path }) => [{ kind: 'read', path, scope: 'tree' }],
  async handle(args, { files, run }) {
    const wanted = 'either';
    const path = await namingNearest(args.path, { files, wanted }, () => searchable(args.path, files));
    const execution = await run(ripgrep({ ...args, path }), { workspace: 'read' });
    // Stopped, timed out or limited: reported by the coordinator.
    if (execution.ended.kind !== 'exited') return { output: null, execution };

    const found = parseRipgrep(execution.stdout.text);
    const masked = execution.ended.exitCode > 1 ? maskedOf(execution) : 0;
    if (!found.complete || masked === null) throw searchFailed(args.pattern, execution);
    const { readable, hidden } = await onlyReadable(found.lines, files);
    const cut = cutMatches(readable, args.maxMatches);
    const lines = cut.lines.map(toLine);
    if (lines.length === 0) lines.push('[no match]');
    if (cut.isCut || execution.stdout.truncated) {
      lines.push('[there are more matches: narrow the pattern, the path or the glob]');
    }
    if (hidden + masked > 0) lines.push(notShown(hidden + masked, { one: 'file', many: 'files' }));
    return { output: lines.join('\n') };
  },
});

/** Levels of folders above the searched one whose ignore files count. */
const MAX_LEVELS = 12;

/** Files by which ripgrep leaves out others: in folders above, of the workspace and around it, and git's own list. */
function ignoreFiles(path: string): readonly StampPath[] {
  const above = Array.from({ length: MAX_LEVELS }, (_, level) => `${path}/${'../'.repeat(level + 1)}`);
  const names = above.flatMap((folder) =>
    ['.gitignore', '.ignore', '.rgignore'].map((name) => folder + name),
  );
  return ['.git/info/exclude', ...names].map((one) => ({ path: one, depth: 0 }));
}

function ripgrep({ pattern, path, literal, ignoreCase, glob, contextLines, maxMatches }: Args): Program {
  return {
    kind: 'argv',
    argv: [
      'rg',
      '--json',
      '--no-config',
      '--sort=path',
      `--max-count=${maxMatches + 1}`,
      `--context=${contextLines}`,
      ...(literal ? ['--fixed-strings'] : []),
      ...(ignoreCase ? ['--ignore-case'] : []),
      ...(glob === undefined ? [] : [`--glob=${glob}`]),
      `--regexp=${pattern}`,
      '--',
      path,
    ],
  };
}

/** Only files and directories are allowed, as ripgrep follows a symbolic link given by name. */
async function searchable(given: string, files: Files): Promise<string> {
  const path = files.normalise(given);
  const entry = await files.stat(path);
  if (entry?.kind === 'file' || entry?.kind === 'directory') return path;
  throw new ToolFailure({
    code: entry === null ? 'not-found' : 'not-a-file',
    category: 'InvalidParameters',
    message: `Cannot search "${path}": ${entry === null ? 'there is no such file or directory' : `it is a ${entry.kind}, which no tool follows`}`,
    suggestion: 'Search a directory above it',
  });
}

/** Removes matches the file tools may not read: ripgrep doesn't know the policy. */
async function onlyReadable(
  lines: readonly FoundLine[],
  files: Files,
): Promise<{ readable: readonly FoundLine[]; hidden: number }> {
  const allowed = new Map<string, string | null>();
  for (const path of new Set(lines.map((line) => line.path))) {
    allowed.set(path, await readablePath(path, files));
  }
  const readable = lines.flatMap((line) => {
    const path = allowed.get(line.path) ?? null;
    return path === null ? [] : [{ ...line, path }];
  });
  return { readable, hidden: [...allowed.values()].filter((path) => path === null).length };
}

async function readablePath(path: string, files: Files): Promise<string | null> {
  try {
    return (await files.stat(path)) === null ? null : files.normalise(path);
  } catch (error) {
    if (error instanceof ToolFailure) return null;
    throw error;
  }
}

/** Ripgrep's message for a file masked by the sandbox; the same as for a file without read permission. */
const MASKED = /^(?:rg: )?.+: Permission denied \(os error 13\)$/;

/** The number of unreadable files if nothing else went wrong; otherwise null. */
function maskedOf({ stderr }: Execution): number | null {
  const lines = stderr.text.split('\n').filter((line) => line !== '');
  // The omitted middle may contain other errors.
  if (stderr.truncated || lines.length === 0 || !lines.every((line) => MASKED.test(line))) return null;
  return lines.length;
}

function cutMatches(
  lines: readonly FoundLine[],
  maxMatches: number,
): { lines: readonly FoundLine[]; isCut: boolean } {
  let matches = 0;
  const end = lines.findIndex((line) => line.isMatch && ++matches > maxMatches);
  return end < 0 ? { lines, isCut: false } : { lines: lines.slice(0, end), isCut: true };
}

function toLine({ path, line, text, isMatch }: FoundLine): string {
  const mark = isMatch ? ':' : '-';
  const shown =
    text.length > MAX_LINE_LENGTH
      ? `${text.slice(0, MAX_LINE_LENGTH).toWellFormed()} … ${text.length - MAX_LINE_LENGTH} more characters`
      : text;
  return `${visibleName(path)}${mark}${line}${mark}${shown}`;
}

function searchFailed(pattern: string, { stderr, ended }: Execution): ToolFailure {
  const why = stderr.text.trim().split('\n').slice(0, 10);
  if (/^regex parse error|error parsing glob/m.test(stderr.text)) {
    return new ToolFailure({
      code: 'bad-pattern',
      category: 'InvalidParameters',
      message: `Cannot search for "${pattern}": ripgrep does not understand the pattern or the glob`,
      suggestion: 'Correct it, or set literal to true to search for plain text',
      why,
    });
  }
  const exit =
    ended.kind === 'exited' ? `it ended with exit code ${ended.exitCode}` : 'it did not end by itself';
  return new ToolFailure({
    code: 'search-failed',
    category: 'PermanentFailure',
    message: `Cannot search: ripgrep did not finish, ${exit}`,
    suggestion:
      'Ask a person whether ripgrep (rg) is installed (signalbox doctor), or list and read files instead',
    why,
  });
}
