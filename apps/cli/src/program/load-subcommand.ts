import type { Subcommand } from '../commands/table/define-subcommand.ts';

/** Loads only the code of that subcommand. */
const loaders: Readonly<Record<string, () => Promise<Subcommand>>> = {
  init: async () => (await import('../commands/setup/init.ts')).init,
  demo: async () => (await import('../commands/demo/demo.ts')).demo,
  attach: async () => (await import('../commands/operate/attach.ts')).attach,
  run: async () => (await import('../commands/operate/run.ts')).run,
  exec: async () => (await import('../commands/operate/exec.ts')).exec,
  watch: async () => (await import('../commands/see/watch.ts')).watch,
  status: async () => (await import('../commands/see/status.ts')).status,
  commands: async () => (await import('../commands/see/commands.ts')).commands,
  queue: async () => (await import('../commands/see/queue.ts')).queue,
  leases: async () => (await import('../commands/see/leases.ts')).leases,
  output: async () => (await import('../commands/see/output.ts')).output,
  sessions: async () => (await import('../commands/see/sessions.ts')).sessions,
  history: async () => (await import('../commands/see/history.ts')).history,
  stats: async () => (await import('../commands/see/stats/stats.ts')).stats,
  audit: async () => (await import('../commands/see/audit.ts')).audit,
  approve: async () => (await import('../commands/operate/approve.ts')).approve,
  answer: async () => (await import('../commands/operate/answer.ts')).answer,
  deny: async () => (await import('../commands/operate/deny.ts')).deny,
  say: async () => (await import('../commands/operate/say.ts')).say,
  compress: async () => (await import('../commands/operate/compress.ts')).compress,
  cancel: async () => (await import('../commands/operate/cancel.ts')).cancel,
  undo: async () => (await import('../commands/operate/undo.ts')).undo,
  review: async () => (await import('../commands/operate/review.ts')).review,
  diff: async () => (await import('../commands/see/diff.ts')).diff,
  cache: async () => (await import('../commands/operate/cache.ts')).cache,
  mode: async () => (await import('../commands/operate/mode.ts')).mode,
  check: async () => (await import('../commands/rules/check.ts')).check,
  policy: async () => (await import('../commands/rules/policy.ts')).policy,
  filter: async () => (await import('../commands/rules/filter.ts')).filter,
  rules: async () => (await import('../commands/rules/rules.ts')).rules,
  network: async () => (await import('../commands/rules/network.ts')).network,
  tools: async () => (await import('../commands/setup/tools.ts')).tools,
  config: async () => (await import('../commands/setup/config.ts')).config,
  doctor: async () => (await import('../commands/setup/doctor.ts')).doctor,
  serve: async () => (await import('../commands/serve/serve.ts')).serve,
  stop: async () => (await import('../commands/serve/stop.ts')).stop,
  logs: async () => (await import('../commands/serve/logs.ts')).logs,
  coordinator: async () => (await import('../commands/serve/coordinator.ts')).coordinator,
  worker: async () => (await import('../commands/serve/worker.ts')).worker,
  dashboard: async () => (await import('../commands/serve/dashboard.ts')).dashboard,
  connect: async () => (await import('../commands/agents/connect.ts')).connect,
  mcp: async () => (await import('../commands/agents/mcp.ts')).mcp,
  token: async () => (await import('../commands/serve/token.ts')).token,
  bench: async () => (await import('../commands/bench/bench.ts')).bench,
  forget: async () => (await import('../commands/serve/forget.ts')).forget,
  completion: async () => (await import('./completion.ts')).completion,
  help: async () => (await import('./help.ts')).help,
};

export const loadableNames: readonly string[] = Object.keys(loaders);

export async function loadSubcommand(name: string): Promise<Subcommand> {
  const load = loaders[name];
  if (load === undefined) throw new Error(`Cannot load subcommand "${name}": it is not implemented`);
  return load();
}
