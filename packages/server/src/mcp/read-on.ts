import type { CommandResult } from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import { countLineFeeds } from './cut-middle.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';

/** Marks where the bound of a stored stream removed its middle: lines can't be counted past it. */
const STORED_GAP = '\n[… ';

/** A longer path is not repeated. */
const LONGEST_PATH = 200;

/** How to read the rest of a command's answer after `head`. */
export function readOn({ id, call }: CommandView, head: string, result: CommandResult): string {
  const output = streamAt(result, head);
  if (output !== null) {
    const { stream, printed } = output;
    const firstLine = printed.includes(STORED_GAP) ? {} : { first_line: countLineFeeds(printed) + 1 };
    return `read on: ${TOOL_PREFIX}read_output ${JSON.stringify({ command: id, stream, ...firstLine })}`;
  }
  // Lines of a filtered output, or of one with hidden paths, can't be counted.
  if (result.filtered !== undefined || result.exitCode !== null)
    return `read on: ${TOOL_PREFIX}read_output ${JSON.stringify({ command: id, stream: longerStream(result) })}`;
  const { path, firstLine } = call.args;
  if (call.tool === 'read_file' && typeof path === 'string' && path.length <= LONGEST_PATH) {
    const notice = head.startsWith('[lines ') ? 1 : 0;
    const first = (typeof firstLine === 'number' ? firstLine : 1) + countLineFeeds(head) - notice;
    return `read on: ${TOOL_PREFIX}read_file ${JSON.stringify({ path, firstLine: first })}`;
  }
  return 'call again for less: a narrower path, pattern or range';
}

function longerStream({ stdout, stderr }: CommandResult): 'stdout' | 'stderr' {
  return stdout.length >= stderr.length ? 'stdout' : 'stderr';
}

/** The stream in which the head ends, and how much of it the head holds. */
function streamAt(
  { content, stdout, stderr }: CommandResult,
  head: string,
): { readonly stream: 'stdout' | 'stderr'; readonly printed: string } | null {
  const out = startOf(content, 'stdout', { printed: stdout, from: 0 });
  const afterOut = out === -1 ? 0 : out + stdout.trimEnd().length;
  const error = startOf(content, 'stderr', { printed: stderr, from: afterOut });
  if (error !== -1 && head.length >= error) return { stream: 'stderr', printed: head.slice(error) };
  return out === -1 ? null : { stream: 'stdout', printed: head.slice(out) };
}

/** Offset of a stream in the content of its command; -1 when it is empty. */
function startOf(
  content: string,
  stream: 'stdout' | 'stderr',
  { printed, from }: Readonly<{ printed: string; from: number }>,
): number {
  if (printed === '') return -1;
  const label = `${stream}:\n`;
  const at = content.indexOf(label + printed.trimEnd(), from);
  return at === -1 ? -1 : at + label.length;
}
