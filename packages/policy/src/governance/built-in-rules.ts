/**
 * The rules that apply without any settings, strictest first. The order is that of X-06: no approval is requested for a
 * call that would be denied anyway.
 */
export const BUILT_IN_RULES = {
  'blocked-never': {
    ruling: 'deny',
    says: 'blocked: no mode, setting or person can allow it',
  },
  'tools-off': { ruling: 'deny', says: 'agents.tool_execution.enabled is off: models can’t call tools' },
  'mode-forbids': { ruling: 'deny', says: 'this tool is not allowed in the current mode' },
  'lockdown-looks-only': { ruling: 'deny', says: 'LOCKDOWN allows read-only calls only' },
  'autonomous-internal': {
    ruling: 'deny',
    says: 'in the autonomous phase, only internal tools without effects can be called',
  },
  'composition-rejected': {
    ruling: 'deny',
    says: 'no chains, pipes or substitutions: shell_composition is reject, or the mode is DEGRADED or LOCKDOWN',
  },
  'program-not-listed': {
    ruling: 'deny',
    says: 'the tool has a command_allowlist, and this program is not on it',
  },
  'path-outside': {
    ruling: 'deny',
    says: 'paths outside the workspace can’t be read or written',
  },
  'protected-path': {
    ruling: 'deny',
    says: 'secrets and Signalbox’s own files can’t be read or written; git’s own files and policy files can’t be written',
  },
  'path-forbidden': { ruling: 'deny', says: 'a deny list in the settings names this path' },
  'path-not-listed': { ruling: 'deny', says: 'an allow list in the settings does not include this path' },
  'too-large': { ruling: 'deny', says: 'the content exceeds the tool’s max_file_size_mb' },
  'approval-deny-all': { ruling: 'deny', says: 'approval_mode is deny_all' },
  'dangerous-denied': { ruling: 'deny', says: 'deny_dangerous is on' },
  'question-asks': { ruling: 'ask', says: 'a question to a person always waits for an answer' },
  'dangerous-asks': { ruling: 'ask', says: 'dangerous calls always need approval' },
  'mode-asks': {
    ruling: 'ask',
    says: 'in ALERT, DEGRADED and RECOVERY, every call that is not safe needs approval; tool settings can add modes',
  },
  'changed-tool-asks': {
    ruling: 'ask',
    says: 'the tool’s server or definition changed since it was last approved',
  },
  'untrusted-asks': {
    ruling: 'ask',
    says: 'every call of an untrusted provider that is not safe needs approval',
  },
  'unconfined-code-asks': {
    ruling: 'ask',
    says: 'running a program without a sandbox needs approval',
  },
  'unclear-paths-ask': {
    ruling: 'ask',
    says: 'may reach denied paths; its paths can’t be resolved in advance',
  },
  'program-files-ask': {
    ruling: 'ask',
    says: 'changes a file that programs outside the sandbox read as settings or code, such as AGENTS.md, .github/workflows or .npmrc',
  },
  'takes-work-asks': {
    ruling: 'ask',
    says: 'may discard uncommitted work: its own, another provider’s or changes made by hand',
  },
  'refused-before': {
    ruling: 'ask',
    says: 'you denied this session a call that would change the same file or git’s history',
  },
  'approval-asks-all': { ruling: 'ask', says: 'approval_mode is prompt' },
  'unknown-program-asks': {
    ruling: 'ask',
    says: 'an unknown program needs approval unless an allow rule names it',
  },
  'writes-ask': {
    ruling: 'ask',
    says: 'approval.file_writes is ask, or agents.tool_execution.require_approval_tools lists this tool or one with the same effect',
  },
  'tool-asks': { ruling: 'ask', says: 'the tool’s definition or settings require approval' },
  'safe-asks': { ruling: 'ask', says: 'auto_approve_safe is off' },
  'warning-asks': { ruling: 'ask', says: 'calls of level warning need approval' },
  'allow-all': { ruling: 'allow', says: 'approval_mode is allow_all' },
  'listed-auto': { ruling: 'allow', says: 'agents.tool_execution.auto_approve_tools lists this tool' },
  'writes-auto': {
    ruling: 'allow',
    says: 'approval.file_writes is never, and the call changes only workspace files that it names',
  },
  'trusted-auto': {
    ruling: 'allow',
    says: 'trusted provider: known writes inside the workspace, offline, sandboxed',
  },
  'reversible-auto': {
    ruling: 'allow',
    says: 'changes only workspace files, offline, in a transaction; can be undone',
  },
  'agreed-auto': {
    ruling: 'allow',
    says: 'changes only workspace files, in a transaction, and reaches only hosts you agreed to',
  },
  'reads-auto': {
    ruling: 'allow',
    says: 'only reads, in the sandbox, with a logged-in program listed in approval.reads',
  },
  'warning-auto': { ruling: 'allow', says: 'prompt_on_warning is off' },
  'safe-auto': { ruling: 'allow', says: 'safe calls run without approval' },
} as const satisfies Readonly<Record<string, { ruling: 'allow' | 'ask' | 'deny'; says: string }>>;

export type RuleId = keyof typeof BUILT_IN_RULES;

type IdOf<Kind> = { [Id in RuleId]: (typeof BUILT_IN_RULES)[Id]['ruling'] extends Kind ? Id : never }[RuleId];
export type DenyRule = IdOf<'deny'>;
export type AskRule = IdOf<'ask'>;
export type AllowRule = IdOf<'allow'>;
