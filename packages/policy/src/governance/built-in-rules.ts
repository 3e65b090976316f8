/**
 * The rules that apply without any settings, strictest first. The order is that of X-06: no approval is requested for a
 * call that would be denied anyway.
 */
export const BUILT_IN_RULES = {
  'blocked-never': {
    ruling: 'deny',
    says: 'what is blocked never runs; no mode, setting or person lifts it',
  },
  'tools-off': { ruling: 'deny', says: 'agents.tool_execution.enabled is off: models may call nothing' },
  'mode-forbids': { ruling: 'deny', says: 'the mode forbids this tool' },
  'lockdown-looks-only': { ruling: 'deny', says: 'LOCKDOWN allows only reading' },
  'autonomous-internal': {
    ruling: 'deny',
    says: 'in the autonomous phase only internal tools without effects may be called',
  },
  'composition-rejected': {
    ruling: 'deny',
    says: 'shell_composition: reject, or mode DEGRADED or LOCKDOWN: no chains, pipes or substitutions',
  },
  'program-not-listed': {
    ruling: 'deny',
    says: 'the tool has a command_allowlist and this unknown program is not on it',
  },
  'path-outside': {
    ruling: 'deny',
    says: 'nothing outside the workspace is read or written',
  },
  'protected-path': {
    ruling: 'deny',
    says: 'secrets and Signalbox’s own files are neither read nor written; git’s own and the policy’s files are not written',
  },
  'path-forbidden': { ruling: 'deny', says: 'a deny list of the settings names this path' },
  'path-not-listed': { ruling: 'deny', says: 'an allow list of the settings does not name this path' },
  'too-large': { ruling: 'deny', says: 'the text is over the tool’s max_file_size_mb' },
  'approval-deny-all': { ruling: 'deny', says: 'approval_mode is deny_all' },
  'dangerous-denied': { ruling: 'deny', says: 'deny_dangerous is on' },
  'dangerous-asks': { ruling: 'ask', says: 'dangerous calls always ask' },
  'mode-asks': {
    ruling: 'ask',
    says: 'in ALERT, DEGRADED and RECOVERY all but safe calls ask; a tool’s settings may ask in more modes',
  },
  'changed-tool-asks': {
    ruling: 'ask',
    says: 'the tool’s server or definition has changed since a person last let it run',
  },
  'untrusted-asks': { ruling: 'ask', says: 'all but safe calls of an untrusted provider ask' },
  'unconfined-code-asks': {
    ruling: 'ask',
    says: 'programs run without asking only in the sandbox',
  },
  'unclear-paths-ask': { ruling: 'ask', says: 'it may reach denied paths' },
  'program-files-ask': {
    ruling: 'ask',
    says: 'a change of a file that programs outside the sandbox read as settings or code (AGENTS.md, .github/workflows, .npmrc) asks',
  },
  'takes-work-asks': {
    ruling: 'ask',
    says: 'it may discard uncommitted work: its own, of other providers, or done by hand',
  },
  'refused-before': {
    ruling: 'ask',
    says: 'you refused this session a call that would change the same file or git’s history',
  },
  'approval-asks-all': { ruling: 'ask', says: 'approval_mode is prompt' },
  'unknown-program-asks': {
    ruling: 'ask',
    says: 'an unknown program needs approval unless an allow rule names it',
  },
  'writes-ask': {
    ruling: 'ask',
    says: 'approval.file_writes is ask, or agents.tool_execution.require_approval_tools lists this tool or one that has the same effect',
  },
  'tool-asks': { ruling: 'ask', says: 'the tool asks by its own definition or by its settings' },
  'safe-asks': { ruling: 'ask', says: 'auto_approve_safe is off' },
  'warning-asks': { ruling: 'ask', says: 'calls of level warning ask' },
  'allow-all': { ruling: 'allow', says: 'approval_mode is allow_all' },
  'listed-auto': { ruling: 'allow', says: 'agents.tool_execution.auto_approve_tools lists this tool' },
  'writes-auto': {
    ruling: 'allow',
    says: 'approval.file_writes is never, and it changes only workspace files that it names',
  },
  'trusted-auto': {
    ruling: 'allow',
    says: 'a trusted provider’s warning with known writes inside the workspace and no network, in the sandbox',
  },
  'reversible-auto': {
    ruling: 'allow',
    says: 'changes only workspace files, offline, in a transaction; can be undone',
  },
  'agreed-auto': {
    ruling: 'allow',
    says: 'a warning that only changes workspace files, in a transaction, and reaches only hosts you agreed to',
  },
  'reads-auto': {
    ruling: 'allow',
    says: 'a line that only reads, in the sandbox, with a tool of approval.reads that you are logged in to',
  },
  'warning-auto': { ruling: 'allow', says: 'prompt_on_warning is off' },
  'safe-auto': { ruling: 'allow', says: 'safe calls run without asking' },
} as const satisfies Readonly<Record<string, { ruling: 'allow' | 'ask' | 'deny'; says: string }>>;

export type RuleId = keyof typeof BUILT_IN_RULES;

type IdOf<Kind> = { [Id in RuleId]: (typeof BUILT_IN_RULES)[Id]['ruling'] extends Kind ? Id : never }[RuleId];
export type DenyRule = IdOf<'deny'>;
export type AskRule = IdOf<'ask'>;
export type AllowRule = IdOf<'allow'>;
