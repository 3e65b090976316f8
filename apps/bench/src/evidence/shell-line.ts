import type { PlannedCommand } from '../plan/planned-command.ts';
import { SHELL_EVIDENCE } from './read-evidence.ts';

/**
 * A line that counts its file up by one, and writes when it worked and the new count to a file of its own: its changes
 * are committed when it exits, together with that file.
 *
 * Only builtins of the shell, except `sleep` and `git`: starting programs is not what is measured.
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
