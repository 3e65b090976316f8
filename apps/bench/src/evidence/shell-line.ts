import type { PlannedCommand } from '../plan/planned-command.ts';
import { SHELL_EVIDENCE } from './read-evidence.ts';

/**
 * A line that counts its file up by one and says when it worked and what it came to, in a file of its own: so it
 * leaves evidence also where it runs on a copy of the workspace whose changes are put when it is over.
 *
 * Only words that the shell knows by itself, but for `sleep` and `git`: what is measured is Signalbox.
 */
export function shellLineOf({ key, path, work, workMs }: PlannedCommand): string {
  const evidence = `${SHELL_EVIDENCE}/${key}.txt`;
  return [
    'start=$EPOCHREALTIME',
    `read -r count < ${path}`,
    ...(workMs > 0 ? [`sleep ${workMs / 1000}`] : []),
    `echo $((count + 1)) > ${path}`,
    ...(work === 'git' ? [`git add ${path}`, `git commit --quiet --no-verify -m 'bench ${key}'`] : []),
    `echo "$start $EPOCHREALTIME $((count + 1))" >> ${evidence}`,
  ].join(' && ');
}
