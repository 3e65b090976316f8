import type { Access, Settings } from '@signalbox/core';
import type { Question } from './question.ts';
import { type Deny, deny } from './rulings.ts';
import { type NamedTool, toolPolicyName, toolPolicyOf } from './tool-settings.ts';
import { toolsOfEffects } from './tools-of-effects.ts';

const MIB = 1024 * 1024;
/** MiB, when settings set none (S000-36). */
const DEFAULT_LIMIT = 10;

/** The longest file that a tool may read or write. */
export type SizeLimit = {
  readonly mib: number;
  /** The tool that sets the limit: `write_file`. */
  readonly tool: string;
};

/**
 * Denies a text that exceeds the tool's size, or that of the tool of its effect: 10 MiB by default (S000-36, S000-45).
 */
export function checkSizes(question: Question, settings: Settings): Deny | undefined {
  const { tool, line, contentBytes } = question;
  // The text of a shell line is not that of a file; its writes are measured before they are committed.
  const writes = line === null && toolsOfEffects(question).some((effect) => effect.tool === 'write_file');
  const own = ownLimitOf(tool, settings) ?? { mib: DEFAULT_LIMIT, tool: tool.name };
  const limit = strictest([own, ...(writes ? [ownLimitOf(WRITE_FILE, settings)] : [])]);
  if (limit === null || contentBytes <= limit.mib * MIB) return undefined;
  return deny('too-large', {
    code: 'too-large',
    message: `Cannot call ${tool.name} with ${(contentBytes / MIB).toFixed(1)} MiB: ${isOwn(limit, tool) ? 'its limit' : `the limit of ${limit.tool}`} is ${limit.mib} MiB`,
    suggestion: 'Split the content into several calls',
  });
}

/**
 * Size settings for a file that is read or written: of that tool, and of the tool of the effect, for every call. Null
 * when there are none.
 */
export function sizeLimitOf(tool: NamedTool, access: Access, settings: Settings): SizeLimit | null {
  if (access === 'write') return strictest([ownLimitOf(tool, settings), ownLimitOf(WRITE_FILE, settings)]);
  const isReader = toolPolicyName(tool, settings) !== WRITE_FILE.name;
  return strictest([...(isReader ? [ownLimitOf(tool, settings)] : []), ownLimitOf(READ_FILE, settings)]);
}

const WRITE_FILE: NamedTool = { name: 'write_file', aliases: [] };
const READ_FILE: NamedTool = { name: 'read_file', aliases: [] };

function ownLimitOf(tool: NamedTool, settings: Settings): SizeLimit | null {
  const name = toolPolicyName(tool, settings);
  const mib = name === null ? undefined : toolPolicyOf(tool, settings).max_file_size_mb;
  return name === null || mib === undefined ? null : { mib, tool: name };
}

function isOwn({ tool: name }: SizeLimit, tool: NamedTool): boolean {
  return name === tool.name || tool.aliases.includes(name);
}

function strictest(limits: readonly (SizeLimit | null)[]): SizeLimit | null {
  return limits.reduce(
    (least, one) => (one !== null && (least === null || one.mib < least.mib) ? one : least),
    null,
  );
}
