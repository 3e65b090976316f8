import * as z from 'zod';

/** `signalbox init --preset NAME`: settings that follow a specification to the letter. */
export const PresetName = z.enum(['spec-003']);
export type PresetName = z.infer<typeof PresetName>;

/**
 * What each preset adds to `signalbox.yaml`, in place of its `approval` section. A shared file can only tighten, so a
 * preset contains no setting that would have to allow more.
 */
export const PRESETS: Readonly<Record<PresetName, string>> = {
  'spec-003': `# Specification 003 to the letter, from signalbox init --preset spec-003. What no setting gives:
# docs/configuration.md, "Specification 003 to the letter".

# Safe calls run, everything else needs approval (S003-26, S003-34).
approval:
  approval_mode: auto
  auto_approve_safe: true
  prompt_on_warning: true
  deny_dangerous: false

# A shell line is one command: no ;, &&, ||, |, backtick or $( (S003-67).
shell_composition: reject

# The second of two writes to one file runs after the first if they change other lines (S003-57, S003-93).
files:
  stale_write: merge

# Limits of each command (S003-58, S003-59).
sandbox:
  # Paths of an Elixir project: those of the specification, then what mix writes. In another project: yours.
  allowed_paths: [lib, test, config, mix.exs, _build, deps, mix.lock]
  resource_limits:
    max_memory_mb: 512
    max_cpu_percent: 80
    timeout_ms: 300000

# Commands at once, waiting per provider, and in the history (S003-60).
execution:
  max_concurrent_executions: 3
  max_queue_size: 10
  execution_history_limit: 1000
  history_max_age: 0

# S003-61.
monitoring:
  enable_metrics: true
  log_all_commands: true
  pubsub_topic: tools:execution
`,
};
