import type { PlannedCommand } from '../plan/planned-command.ts';
import { SHELL_EVIDENCE } from './read-evidence.ts';

/**
 * A line that increments its file, and writes its times and the new count to a file of its own. Its changes are
 * committed when it exits, together with that file.
 *
 * Uses only shell builtins, `sleep` and `git`: the start of programs is not measured.
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
