import { formatPath, type SettingsPath } from './settings-path.ts';

/** Keys of the specifications and of earlier versions that have another path here (U2, S001-101). */
const RENAMED: Readonly<Record<string, string>> = {
  'agent.max_tool_retries': 'tools.retry.max_attempts',
  'agent.max_retry_duration_secs': 'tools.retry.budget_secs',
  approval_mode: 'approval.approval_mode',
  auto_approve_safe: 'approval.auto_approve_safe',
  prompt_on_warning: 'approval.prompt_on_warning',
  deny_dangerous: 'approval.deny_dangerous',
  sandbox_enabled: 'sandbox.enabled',
  sandbox_working_dir: 'sandbox.working_dir',
  sandbox_allowed_paths: 'sandbox.allowed_paths',
  sandbox_resource_limits: 'sandbox.resource_limits',
  max_concurrent_executions: 'execution.max_concurrent_executions',
  max_queue_size: 'execution.max_queue_size',
  execution_history_limit: 'execution.execution_history_limit',
  enable_metrics: 'monitoring.enable_metrics',
  log_all_commands: 'monitoring.log_all_commands',
  pubsub_topic: 'monitoring.pubsub_topic',
  max_tool_calls_per_session: 'tools.max_tool_calls_per_session',
};

/** The present path of that key. */
export function renamedKey(path: SettingsPath): string | undefined {
  const written = formatPath(path);
  return Object.hasOwn(RENAMED, written) ? RENAMED[written] : undefined;
}
