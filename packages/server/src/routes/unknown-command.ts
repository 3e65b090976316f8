import { RequestRefusedError } from '../problem.ts';

export function unknownCommand(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-command', `Cannot find command ${id}`, {
    why: ['the last 1,000 commands are kept'],
  });
}
