import { type Tool, ToolFailure } from '@signalbox/core';

/**
 * The tool as it was when its call was judged. If its server redefined it between the last check of the call and its
 * start, it does nothing.
 */
export function asJudged(tool: Tool, isJudged: () => boolean): Tool {
  if (tool.definition === undefined || isJudged()) return tool;
  const refuse: Tool['handle'] = () =>
    Promise.reject(
      new ToolFailure({
        code: 'tool-changed',
        category: 'PolicyBlocked',
        message: `Cannot call ${tool.name}: its server changed the tool's description while the call was waiting`,
        suggestion: 'Read its description again; a new call is checked against that',
      }),
    );
  return { ...tool, handle: refuse };
}
