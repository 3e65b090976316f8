import { formatPath, type Note } from '@signalbox/core';
import { as, type Line, line } from '../../terminal/line.ts';

/** What is legal in the settings and still does not do what it says, behind its key. */
export function noteLine({ path, message }: Note): Line {
  const key = formatPath(path);
  return line(as('warn', 'note '), key === '' || message.startsWith(key) ? message : `${key}: ${message}`);
}
