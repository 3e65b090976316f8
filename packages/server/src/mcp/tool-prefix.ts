/** Prefix of each tool name: it separates our tools from the agent's own, for the agent and for people. */
export const TOOL_PREFIX = 'signalbox_';
