import { type CommandResult, type Failure, formatForLlm, nearestWord } from '@signalbox/core';
import { WAIT } from './listed-tools.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';

/** A word that may be a tool's name: not part of a path or a quotation. */
const WORD = /(?<![\w./"'`-])[a-z][a-z0-9_]*(?![\w"'`/-]|\.\w)/g;
/** Context in which a name that is also a plain word, such as `bash`, is a tool's name. */
const CALLED_BEFORE = /(?:\b[Cc]all|\bCannot run) $/;
const LONGEST_BEFORE = 16;
const CALLED_AFTER = /^ has no argument/;

/**
 * The text of a result with tool names as its agent calls them. Program output and file content are unchanged: only our
 * own words on a failure, and the line that says how to read on, are rewritten.
 *
 * @param tools offered to the agent, without the prefix
 */
export function inAgentsNames(
  { failure, content, commandId, tool }: Pick<CommandResult, 'failure' | 'content' | 'commandId' | 'tool'>,
  tools: ReadonlySet<string>,
): string {
  const readOn = `; call read_output with command ${commandId}`;
  const reported = content.replaceAll(readOn, readOn.replace('read_output', `${TOOL_PREFIX}read_output`));
  const block = failure === null ? '' : formatForLlm(failure, commandId);
  if (failure === null || !reported.startsWith(block)) return reported;
  return `${formatForLlm(named(failure, tool, tools), commandId)}${reported.slice(block.length)}`;
}

function named(failure: Failure, tool: string, tools: ReadonlySet<string>): Failure {
  const { category, message, suggestion } = failure;
  if (category === 'ToolNotFound') return noTool(failure, tool, tools);
  const changed = (text: string): string =>
    text.replaceAll(WORD, (word, at: number) =>
      isTool(word, { text, at }, tools) ? TOOL_PREFIX + word : word,
    );
  return {
    ...failure,
    message: changed(message),
    ...(suggestion === undefined ? {} : { suggestion: changed(suggestion) }),
  };
}

function isTool(
  word: string,
  { text, at }: { readonly text: string; readonly at: number },
  tools: ReadonlySet<string>,
): boolean {
  if (!tools.has(word)) return false;
  return (
    word.includes('_') ||
    CALLED_BEFORE.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at)) ||
    CALLED_AFTER.test(text.slice(at + word.length))
  );
}

/** `wait` is not a coordinator tool, so the coordinator can't suggest it or names like it. */
function noTool(
  { message, suggestion = '', ...rest }: Failure,
  tool: string,
  tools: ReadonlySet<string>,
): Failure {
  const isGuessed = message.includes('; did you mean "');
  const isWait = !isGuessed && isLikeWait(tool);
  const wait = `${TOOL_PREFIX}${WAIT}`;
  const others = `${suggestion.replaceAll(WORD, (word) => (tools.has(word) ? TOOL_PREFIX + word : word))}, ${wait}`;
  return {
    ...rest,
    message: isWait
      ? `${message}; did you mean "${wait}"?`
      : message.replace('; did you mean "', `$&${TOOL_PREFIX}`),
    suggestion: isWait ? others.replace(/^Call one of: /, `Call ${wait}, or another of: `) : others,
  };
}

/** Names of waiting tools in other agents. */
const WAITS = [WAIT, 'wait_for', 'wait_for_call', 'wait_for_command', 'wait_command', 'await'];

function isLikeWait(tool: string): boolean {
  const plain = tool
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^(?:mcp__)?(?:signalbox_+)+/, '');
  return nearestWord(plain, WAITS, { bound: plain.length < 6 ? 1 : 2 }) !== undefined;
}
