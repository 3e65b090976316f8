import { Mode } from '../../mode.ts';
import { NetworkProfile } from '../../network/network-source.ts';
import { FileWrites, LoggedInTool } from '../rules/approval-settings.ts';
import { BOUNDS } from '../sandbox/sandbox-bounds.ts';
import {
  strictestNetworkFor,
  strictestProfile,
  strictestProfileOfProvider,
} from '../sandbox/sandbox-profile.ts';
import type { SettingsPath } from '../keys/settings-path.ts';
import {
  common,
  commonHosts,
  commonPaths,
  commonReads,
  commonTools,
  laterOf,
  lowest,
  ownFirst,
  ownOnly,
  type Strictest,
  union,
} from './strictest.ts';

const trueIsStrict = laterOf(false, true);
const falseIsStrict = laterOf(true, false);

const MACHINE_BOUNDS: ReadonlySet<string> = new Set(['max_memory_mb', 'max_written_mb']);

/** `*` matches every tool or provider. A shared file may change all other keys freely. */
type Rule = {
  readonly path: readonly string[];
  readonly strictest: Strictest;
  /**
   * What the shared value is compared with when you set none: `default`: the default; `bound`: the bound of this
   * machine or the tool itself; `own`: nothing, the shared value applies.
   */
  readonly from: 'default' | 'bound' | 'own';
};

/**
 * Safety settings, which a file of a repository may only make stricter. A cloned repository must not approve its own
 * commands.
 */
export const TIGHTENING: readonly Rule[] = [
  rule(
    'default',
    laterOf(Mode.enum.NORMAL, Mode.enum.ALERT, Mode.enum.RECOVERY, Mode.enum.DEGRADED, Mode.enum.LOCKDOWN),
    'mode',
  ),
  rule('default', laterOf('classify', 'reject'), 'shell_composition'),
  rule('default', laterOf('shadow', 'enforce'), 'policy', 'mode'),
  rule('own', lowest, 'budget'),
  rule('default', laterOf('allow_all', 'auto', 'prompt', 'deny_all'), 'approval', 'approval_mode'),
  rule('default', falseIsStrict, 'approval', 'auto_approve_safe'),
  rule('default', laterOf(false, 'unless_reversible', true), 'approval', 'prompt_on_warning'),
  rule('default', trueIsStrict, 'approval', 'deny_dangerous'),
  rule('default', laterOf(...FileWrites.options), 'approval', 'file_writes'),
  ...LoggedInTool.options.map((tool) => rule('own', commonHosts, 'approval', 'reads', tool)),
  rule('default', commonPaths, 'sandbox', 'allowed_paths'),
  rule('own', ownOnly, 'sandbox', 'env_vars'),
  rule('default', commonPaths, 'sandbox', 'readable_home'),
  rule('own', ownOnly, 'sandbox', 'container'),
  rule('default', strictestNetworkFor, 'sandbox', 'network', 'commands'),
  rule('own', commonHosts, 'sandbox', 'network', 'hosts'),
  ...NetworkProfile.options.map((profile) =>
    rule('own', commonHosts, 'sandbox', 'network', 'agreed', profile),
  ),
  rule('own', ownOnly, 'sandbox', 'network', 'services'),
  rule('default', laterOf('machine', 'gate'), 'sandbox', 'network', 'through'),
  ...Object.keys(BOUNDS).map((key) => {
    // Keys without a default in the settings have one that depends on the machine.
    const from = MACHINE_BOUNDS.has(key) ? 'bound' : 'default';
    return rule(from, lowest, 'sandbox', 'resource_limits', key);
  }),
  rule('default', trueIsStrict, 'filters', 'hide_paths'),
  rule('default', trueIsStrict, 'monitoring', 'log_all_commands'),
  rule('own', ownOnly, 'monitoring', 'audit_file_max_mb'),
  rule('default', falseIsStrict, 'agents', 'tool_execution', 'enabled'),
  rule('default', commonTools, 'agents', 'tool_execution', 'auto_approve_tools'),
  rule('default', union, 'agents', 'tool_execution', 'require_approval_tools'),
  rule('default', lowest, 'agents', 'tool_execution', 'max_iterations'),
  rule('default', union, 'agents', 'tool_execution', 'critical_tools'),
  rule('default', laterOf('continue', 'ask', 'stop'), 'agents', 'tool_execution', 'on_critical_failure'),
  // It gets each task, and its key pays for that.
  rule('own', ownOnly, 'agent', 'tool_filter', 'embed_provider'),
  rule('own', ownOnly, 'agent', 'tool_filter', 'embed_model'),
  rule('default', falseIsStrict, 'mcp', 'ask_in_agent'),
  rule('own', lowest, 'tools', 'max_tool_calls_per_session'),
  rule('default', lowest, 'tools', 'repeated_calls', 'point_out'),
  rule('default', lowest, 'tools', 'repeated_calls', 'refuse'),
  rule('own', union, 'tools', 'file', 'deny_read'),
  rule('own', commonReads, 'tools', 'file', 'allow_read'),
  rule('default', trueIsStrict, 'tools', 'shell', 'transactional'),
  rule('default', trueIsStrict, 'tools', 'shell', 'snapshot_required'),
  rule('default', falseIsStrict, 'tools', 'shell', 'keep_on_signal'),
  rule('default', laterOf('rerun', 'merge', 'conflict'), 'tools', 'shell', 'on_conflict'),
  // A repository must not send your conversations to a provider that you did not choose for them.
  rule('own', ownOnly, 'agent', 'compress_provider'),
  rule('own', ownOnly, 'tools', 'retry', 'parameter_reformat_provider'),
  rule('default', trueIsStrict, 'tools', 'adversarial_policy', 'enabled'),
  rule('default', falseIsStrict, 'tools', 'adversarial_policy', 'fail_open'),
  rule('own', union, 'tools', 'adversarial_policy', 'policies'),
  rule('default', commonTools, 'tools', 'adversarial_policy', 'exempt_tools'),
  rule('default', laterOf('shadow', 'enforce'), 'tools', 'adversarial_policy', 'mode'),
  // The judge reads each call, and its key pays for that; a short deadline or a small budget may end the judging.
  rule('own', ownOnly, 'tools', 'adversarial_policy', 'policy_provider'),
  rule('own', ownOnly, 'tools', 'adversarial_policy', 'timeout'),
  rule('own', ownOnly, 'tools', 'adversarial_policy', 'budget'),
  rule('own', ownFirst, 'tools', '*', 'category'),
  rule('own', laterOf(undefined, 'auto', 'requires_approval'), 'tools', '*', 'policy'),
  rule('own', common, 'tools', '*', 'allowed_in_modes'),
  rule('own', union, 'tools', '*', 'requires_approval_in_modes'),
  rule('own', union, 'tools', '*', 'forbidden_in_modes'),
  rule('own', commonPaths, 'tools', '*', 'allowed_paths'),
  rule('own', union, 'tools', '*', 'forbidden_paths'),
  rule('default', lowest, 'tools', '*', 'max_file_size_mb'),
  rule('own', lowest, 'tools', '*', 'rate_limit_per_hour'),
  rule('own', common, 'tools', '*', 'command_allowlist'),
  rule('bound', lowest, 'tools', '*', 'timeout'),
  rule('default', trueIsStrict, 'tools', '*', 'command_allowlist_only'),
  rule('own', strictestProfile, 'tools', '*', 'sandbox'),
  rule('own', laterOf('trusted', undefined, 'provisional', 'untrusted'), 'providers', '*', 'trust'),
  rule('own', commonTools, 'providers', '*', 'tools'),
  rule('own', lowest, 'providers', '*', 'rate_limit_per_hour'),
  rule('own', strictestProfileOfProvider, 'providers', '*', 'sandbox'),
];

function rule(from: Rule['from'], strictest: Strictest, ...path: SettingsPath): Rule {
  return { path: path.map(String), strictest, from };
}
