import type { Subcommand } from './define-subcommand.ts';

/** Loads what runs a subcommand, and only that. */
const loaders: Readonly<Record<string, () => Promise<Subcommand>>> = {
  init: async () => (await import('../subcommands/init.ts')).init,
  demo: async () => (await import('../subcommands/demo.ts')).demo,
  attach: async () => (await import('../subcommands/attach.ts')).attach,
  run: async () => (await import('../subcommands/run.ts')).run,
  exec: async () => (await import('../subcommands/exec.ts')).exec,
  watch: async () => (await import('../subcommands/watch.ts')).watch,
  status: async () => (await import('../subcommands/status.ts')).status,
  commands: async () => (await import('../subcommands/commands.ts')).commands,
  queue: async () => (await import('../subcommands/queue.ts')).queue,
  leases: async () => (await import('../subcommands/leases.ts')).leases,
  output: async () => (await import('../subcommands/output.ts')).output,
  history: async () => (await import('../subcommands/history.ts')).history,
  stats: async () => (await import('../subcommands/stats.ts')).stats,
  audit: async () => (await import('../subcommands/audit.ts')).audit,
  approve: async () => (await import('../subcommands/approve.ts')).approve,
  deny: async () => (await import('../subcommands/deny.ts')).deny,
  cancel: async () => (await import('../subcommands/cancel.ts')).cancel,
  undo: async () => (await import('../subcommands/undo.ts')).undo,
  review: async () => (await import('../subcommands/review.ts')).review,
  diff: async () => (await import('../subcommands/diff.ts')).diff,
  mode: async () => (await import('../subcommands/mode.ts')).mode,
  check: async () => (await import('../subcommands/check.ts')).check,
  policy: async () => (await import('../subcommands/policy.ts')).policy,
  rules: async () => (await import('../subcommands/rules.ts')).rules,
  network: async () => (await import('../subcommands/network.ts')).network,
  tools: async () => (await import('../subcommands/tools.ts')).tools,
  config: async () => (await import('../subcommands/config.ts')).config,
  doctor: async () => (await import('../subcommands/doctor.ts')).doctor,
  serve: async () => (await import('../subcommands/serve.ts')).serve,
  stop: async () => (await import('../subcommands/stop.ts')).stop,
  logs: async () => (await import('../subcommands/logs.ts')).logs,
  coordinator: async () => (await import('../subcommands/coordinator.ts')).coordinator,
  worker: async () => (await import('../subcommands/worker.ts')).worker,
  dashboard: async () => (await import('../subcommands/dashboard.ts')).dashboard,
  connect: async () => (await import('../subcommands/connect.ts')).connect,
  mcp: async () => (await import('../subcommands/mcp.ts')).mcp,
  token: async () => (await import('../subcommands/token.ts')).token,
  bench: async () => (await import('../subcommands/bench.ts')).bench,
  forget: async () => (await import('../subcommands/forget.ts')).forget,
  completion: async () => (await import('../subcommands/completion.ts')).completion,
  help: async () => (await import('../subcommands/help.ts')).help,
};

export const loadableNames: readonly string[] = Object.keys(loaders);

export async function loadSubcommand(name: string): Promise<Subcommand> {
  const load = loaders[name];
  if (load === undefined) throw new Error(`Cannot load subcommand "${name}": nothing runs it`);
  return load();
}
