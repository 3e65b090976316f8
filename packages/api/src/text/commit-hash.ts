/**
 * Hash of the commit that `git commit` made, from the first line that it prints: `[main (root-commit) 1a2b3c4]
 * Subject`.
 */
export function commitHash(stdout: string): string | null {
  const [row = ''] = stdout.slice(0, MAX_READ).split('\n', 1);
  return /^\[[^\]]* ([0-9a-f]{7,64})\]/.exec(row)?.[1] ?? null;
}

const MAX_READ = 1000;
