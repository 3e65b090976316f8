/** As on the command line. In a file without imports, since help and completion load it. */
export const SCENARIOS = [
  'disjoint',
  'hot-file',
  'mixed',
  'monorepo',
  'git-storm',
  'approval-flood',
  'chaos',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];
