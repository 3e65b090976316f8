import { formatPath, type Note } from '@signalbox/core';
import { as, type Line, line } from '../../terminal/line.ts';

/** A note about a setting, after its key. */
export function noteLine({ path, message }: Note): Line {
  const key = formatPath(path);
  return line(as('warn', 'note '), key === '' || message.startsWith(key) ? message : `${key}: ${message}`);
}
