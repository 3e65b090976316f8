/** What a load test can be asked for, by its name on the command line. */
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
