/** Before each tool's name: agents keep their own tools apart from ours, and people see whose it is. */
export const TOOL_PREFIX = 'signalbox_';
