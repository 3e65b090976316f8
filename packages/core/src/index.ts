/* oxlint-disable max-lines -- one list of names */
export {
  Approval,
  ApprovalBase,
  Approver,
  RepeatedApproval,
  BaseFile,
  CallHash,
  Grant,
  type PendingApproval,
} from './commands/approval.ts';
export { Channel } from './commands/channel.ts';
export {
  checkCounts,
  CheckFinding,
  CheckReport,
  findingText,
  isClean,
  reportNote,
} from './commands/check-report.ts';
export { shortId } from './text/short-id.ts';
export { hunkHead } from './files/hunk-head.ts';
export { quantile } from './quantile.ts';
export { quotedPath } from './files/quoted-path.ts';
export { PlainPolicy } from './settings/tools/plain-policy.ts';
export { ToolOrigin } from './commands/tool-origin.ts';
export {
  Call,
  CallContext,
  type CallContextInput,
  Phase,
  RawCall,
  ToolName,
  Trust,
} from './commands/call.ts';
export { ClientEnvironment, clientEnvironment, modelEnvironment } from './client-environment.ts';
export { Access, Claim, claimsConflict, describeClaim, readClaim, writeClaim } from './leases/claim.ts';
export {
  CommandRecord,
  CommandState,
  ForgottenCommand,
  publishedStatus,
  StuckCommand,
} from './commands/command.ts';
export {
  allThat,
  type CommandPage,
  cursorOf,
  fitsPageFilter,
  listPage,
  type PageFilter,
} from './ports/command-page.ts';
export { Effect, EffectPath, PathScope } from './effect.ts';
export { ErrorCategory, isQualityFailure, isRetryable, isTransient } from './errors/error-category.ts';
export { causeOfExit } from './errors/exit-cause.ts';
export {
  ReportedCode,
  UNAVAILABLE_CODES,
  type UnavailableCode,
  USAGE_CODES,
  type UsageCode,
} from './errors/error-codes.ts';
export {
  InvariantError,
  LeaseLostError,
  RevisionError,
  SandboxError,
  SignalboxError,
  ToolFailure,
  UnavailableError,
  UsageError,
} from './errors/errors.ts';
export { CompressionMethod, ModelRequestPurpose } from './session-event.ts';
export { savedBySession } from './saved-by-session.ts';
export { addSavings, hasSavings, NO_SAVINGS, savedByCall, Savings, tokensSaved } from './savings.ts';
export { estimateTokens } from './text/estimate-tokens.ts';
export {
  CheckDecision,
  type Event,
  EventId,
  type EventType,
  EXECUTION_TOPIC,
  NewEvent,
  UntilResult,
} from './event.ts';
export {
  CommitConflict,
  EMPTY_OUTPUT,
  notStarted,
  Execution,
  exitCodeOf,
  isAnswer,
  Isolation,
  ResourceUsage,
  StoredOutput,
  LimitHit,
  LimitKey,
} from './commands/execution.ts';
export {
  AdversarialDecision,
  ClaimSource,
  GateDecision,
  GateName,
  UtilityDecision,
} from './commands/gate-decision.ts';
export {
  answerProblem,
  AskPersonArgs,
  MAX_ANSWER_BYTES,
  PersonQuestion,
  redactedQuestion,
} from './commands/person-question.ts';
export { Failure, formatForLlm } from './errors/failure.ts';
export { nameMeant, visibleName } from './text/visible-name.ts';
export { errorText } from './errors/error-text.ts';
export { requireKnownOptions } from './errors/known-options.ts';
export { findUnavailable } from './errors/find-unavailable.ts';
export { commitSubject, ContentHash, FileTouch } from './files/file-touch.ts';
export { CommandId, createId, type RandomBytes } from './id.ts';
export { ExecutionId, LeaseId, NodeId, ProviderId, RunId, SessionId, WorkspaceId } from './id.ts';
export { type FollowedPath, followLinks } from './files/follow-links.ts';
export { isWithin } from './files/is-within.ts';
export { isBuilt, nearestPaths, walkFiles, type WantedPath } from './files/nearest-paths.ts';
export { canonicalJson, Json, JsonObject } from './json.ts';
export { FencingToken, Lease } from './leases/lease.ts';
export { isAtLeast, Level, strictestLevel } from './commands/level.ts';
export {
  CONFLICTING_MODES,
  LOCK_MODES,
  lockEntries,
  type LockEntry,
  type LockMode,
} from './leases/lock-entry.ts';
export { ALL_MODES, LONGEST_MODE_MS, Mode } from './mode.ts';
export { type AgreedHosts, agreedPatterns } from './network/agreed-hosts.ts';
export {
  describeTarget,
  type Host,
  isLocalhost,
  parseHost,
  parseTarget,
  type Target,
} from './network/host.ts';
export {
  coveredHosts,
  HostPattern,
  type HostRule,
  isNamed,
  parseHostPattern,
  patternOfHost,
} from './network/host-pattern.ts';
export {
  type AddressRange,
  type IpAddress,
  isInRange,
  parseAddressRange,
  parseIpAddress,
} from './network/ip-address.ts';
export { NetworkProfile, NetworkSource, profileOf } from './network/network-source.ts';
export { NetworkUse } from './network/network-use.ts';
export { failureOf, Outcome, type OutcomeKind, type PublishedStatus } from './commands/outcome.ts';
export type { BackendCall, BackendCalls } from './ports/backend-calls.ts';
export type { Clock } from './ports/clock.ts';
export {
  countsOfUnfinished,
  type UnfinishedCount,
  type UnfinishedFilter,
  unfinishedOf,
  type CommandFilter,
  type CommandStore,
  fitsFilter,
  type HistoryRetention,
  type HistoryTotals,
  newestFirst,
} from './ports/command-store.ts';
export type { CounterAnswer, Counters, CounterTake } from './ports/counters.ts';
export type { Embedder, Vector } from './ports/embedder.ts';
export type { EventLog, Replay } from './ports/event-log.ts';
export { REPORT_FILE } from './ports/executor.ts';
export type {
  CommitAnswer,
  ExecutionHooks,
  ExecutionLimits,
  ExecutionRequest,
  Executor,
  LeaseTerm,
  NetworkAccess,
  Program,
  ReportRequest,
} from './ports/executor.ts';
export type { Facts } from './ports/facts.ts';
export type {
  FilteredOutput,
  OutputFilter,
  PrintedOutput,
  PrintingPipe,
  PrintingProgram,
} from './ports/output-filter.ts';
export { FilterConfidence, FilterUse } from './commands/filter-use.ts';
export type { DeclaredFilter, FilterMatcher, FiltersSettings } from './settings/filters/filters-settings.ts';
export type {
  ChangedFile,
  Expected,
  FileEntry,
  Files,
  FileVersion,
  KeptChange,
  TextFile,
  UndoAnswer,
  WriteOptions,
  Writer,
} from './ports/files.ts';
export type { Difference, Inspector, KnownCommits, PushForecast, Removal } from './ports/inspector.ts';
export type { BackendOutage, LastKnown } from './ports/last-known.ts';
export type { Logger } from './ports/logger.ts';
export type { OutputPart, OutputQuery, Outputs } from './ports/outputs.ts';
export { NodeRecord, type Nodes, type SeenNode } from './ports/nodes.ts';
export type {
  Enqueued,
  QueueEntry,
  Scheduler,
  SchedulerLimits,
  SchedulerListener,
  SchedulerSnapshot,
  WaitingEntry,
} from './ports/scheduler.ts';
export { createSchedulerNotices } from './ports/scheduler-notices.ts';
export type { RunChange, RunStore, StoredRun } from './ports/run-store.ts';
export type { StampPath, StampScope, Stamps, TreeStamp } from './ports/stamps.ts';
export type { CallEnd, Service, ServiceCall, ServiceRequest, Services } from './ports/services.ts';
export {
  CallPreview,
  type CommitStep,
  type PlannedStep,
  type PreviewCommit,
  PreviewFile,
  PreviewPart,
  type PushStep,
  UndoForecast,
} from './commands/preview.ts';
export {
  isInPackages,
  type NamedFiles,
  type ProgramFile,
  programFileAt,
  programFilesBelow,
} from './files/program-files.ts';
export { ProviderError, type ProviderErrorKind } from './errors/provider-error.ts';
export {
  addUsage,
  AssistantMessage,
  AssistantPart,
  Message,
  NO_USAGE,
  type Provider,
  type StopReason,
  ToolCall,
  type ToolOffer,
  ToolResult,
  type TurnEvent,
  type TurnLimits,
  type TurnRequest,
  Usage,
} from './provider.ts';
export { createReadHashes, type ReadHash, type ReadHashes } from './files/read-hashes.ts';
export { whyVariableRefused } from './refused-variable.ts';
export { createPathHiding } from './redaction/hidden-paths.ts';
export type { RedactionStream } from './redaction/redaction-stage.ts';
export { createRedactor, type GrowingRedactor, type Redactor } from './redaction/redactor.ts';
export { redactsOnlyWords } from './redaction/redacts-only-words.ts';
export { SECURITY_PATTERNS, type SecretCategory, type SecretPattern } from './redaction/security-patterns.ts';
export { nodesOf, overlaps, pathResource, Resource, treeResource, WORKSPACE } from './leases/resource.ts';
export { Rollback } from './commands/rollback.ts';
export { CommandResult, ReuseSource } from './commands/result.ts';
export { Ruling } from './commands/ruling.ts';
export { Suspect } from './commands/suspect.ts';
export { TOOL_SECTIONS } from './settings/tools/tools-settings.ts';
export {
  toolDependencies,
  type ToolDependencies,
  type ToolDependency,
} from './settings/tools/tool-dependencies.ts';
export { canonicalToolName, GOES_BY, matchesTool } from './settings/tools/canonical-tool-name.ts';
export { ApprovalMode, type FileWrites, LoggedInTool } from './settings/rules/approval-settings.ts';
export type { Note } from './settings/layers/clamp-settings.ts';
export {
  isThisMachine,
  type McpAddress,
  type McpProgram,
  type McpServers,
  type McpServerSettings,
  type McpToolWords,
} from './settings/tools/mcp-server.ts';
export { writtenDuration } from './settings/written-duration.ts';
export { settingsWriter } from './settings/keys/known-keys.ts';
export { type MergedSettings, mergeLayers } from './settings/layers/merge-layers.ts';
export { type ParsedSettings, parseSettings } from './settings/parse-settings.ts';
export { nearestWord } from './settings/keys/nearest-word.ts';
export { isGlob } from './settings/rules/path-pattern.ts';
export { isUnknownKey, type SettingsProblem } from './settings/problem.ts';
export { type RuleMatcher, RuleEffect } from './settings/rules/rule-matcher.ts';
export { renamedKey } from './settings/keys/renamed-keys.ts';
export type { IsTrusted } from './settings/layers/rules-of-layers.ts';
export { SandboxProfile, UNTRUSTED_MEMORY_MB } from './settings/sandbox/sandbox-profile.ts';
export { McpSettings } from './settings/tools/mcp-settings.ts';
export type { ProviderSettings } from './settings/providers/provider-settings.ts';
export { defaultSettings, Settings } from './settings/settings.ts';
export { type IsServerTrusted, wordsOfServer } from './settings/layers/servers-of-layers.ts';
export { settingsJsonSchema } from './settings/settings-json-schema.ts';
export type { SettingsLayer } from './settings/layers/settings-layer.ts';
export { formatPath, getIn, setIn, type SettingsPath } from './settings/keys/settings-path.ts';
export { DEFAULT_TOOL_POLICY, ToolPolicy } from './settings/tools/tool-policy.ts';
export { RULE_LISTS, type RuleLayer, type RuleRuling, UserRule } from './settings/rules/user-rule.ts';
export { silentLogger } from './silent-logger.ts';
export { StaleWriteError } from './errors/stale-write-error.ts';
export { createSystemClock } from './system-clock.ts';
export { stripThoughts, type StrippedArgs, THOUGHT_PREFIX } from './tools/thoughts.ts';
export { namedProviders } from './settings/providers/named-providers.ts';
export { ASK_PERSON, COMPRESS_CONTEXT } from './tools/session-tools.ts';
export { toOutputSchema, toToolOffer } from './tools/tool-offer.ts';
export {
  type PendingTools,
  createToolRegistry,
  type ToolRegistry,
  withComingTools,
} from './tools/tool-registry.ts';
export {
  type ArgAlias,
  defineTool,
  type PrecheckContext,
  type RequestKind,
  Risk,
  type RunOptions,
  type Tool,
  type ToolAnswer,
  ToolCategory,
  type ToolContext,
  type ToolHints,
  type WorkspaceLines,
} from './tools/tool.ts';
export { Reason, Span, Verdict, writesUnknown } from './commands/verdict.ts';
