export { chainOf, logsIn } from './audit/audit-chain.ts';
export { AuditEntry, AuditLine } from './audit/audit-line.ts';
export { type AuditMismatch, checkAudit } from './audit/check-audit.ts';
export { highestFencingToken } from './audit/highest-fencing-token.ts';
export { findForgotten } from './audit/forgotten.ts';
export { type RecordedEnd, knownEnding } from './audit/known-ending.ts';
export {
  type AuditKnowledge,
  type AuditProblem,
  type AuditReport,
  verifyAudit,
  verifyAudits,
} from './audit/verify-audit.ts';
export type {
  AnswerOutcome,
  AnswerStats,
  QuestionStats,
  RuleSuggestion,
  ApprovalAnswer,
  ApprovalService,
  CancelAnswer,
  PrioritizeAnswer,
  CommandNumbers,
  CommandOutput,
  Coordinator,
  ModeState,
  Monitor,
  ProviderTotals,
  SessionRuleService,
  Submitted,
  Timeline,
  TimelineBucket,
} from './coordinator-api.ts';
export type { CoordinatorOptions } from './coordinator-options.ts';
export { lineWithoutEffect } from './command/precheck/line-without-effect.ts';
export { withCommandDiagram } from './command/machine-diagram.ts';
export { createCoordinator } from './create-coordinator.ts';
export { CancelMode } from './cancel-mode.ts';
export { createAdversarialGate } from './gates/adversarial/adversarial-gate.ts';
export type { CallGate, GatedCall } from './gates/gate.ts';
export { gatedCallOf } from './gates/gated-call.ts';
export { questionOf } from './judging/judge-call.ts';
export { claimsOfCall } from './judging/transaction-facts.ts';
export type { OpenedEmbedder } from './model-requests/ask-embedder.ts';
export type { OpenedModel } from './model-requests/ask-model.ts';
export { createModeService, type ModeService } from './mode/mode-service.ts';
export { createMonitor } from './monitor/monitor.ts';
export { NO_SESSION_STATS, type SessionStats, sessionStatsOf } from './monitor/session-stats.ts';
export { numbersOf } from './monitor/numbers-of.ts';
export { queueOfRecords, readQueue } from './monitor/queue-of-records.ts';
export { type RevokeAnswer, revokeLease } from './revoke-lease.ts';
export type { SharedWorkspace } from './shared/shared-workspace.ts';
export type { FilterSummary } from './offer/offer-service.ts';
export type { HiddenTool, OfferPlan, OfferedTool, OfferReason, OfferRequest } from './offer/offer.ts';
export { planOffer } from './offer/plan-offer.ts';
export { schemaComplexity, type SchemaComplexity } from './offer/schema-complexity.ts';
export { createToolSimilarities } from './offer/tool-similarities.ts';
export { searchOutput } from './output/search-output.ts';
export { addKeptMarks, keptMarks } from './review/kept-marks.ts';
export { loadReview } from './review/load-review.ts';
export { undoneBy } from './review/undone-by.ts';
export { type FileUndo, type Review, type ReviewFile, undosOf } from './review/review-of.ts';
export { retryPolicyOf } from './retry/retry-delay.ts';
export { readSessionRules, type StoredSessionRule } from './approval/session-rules.ts';
export { type SessionBudget, createBudget } from './session/budget.ts';
export { DEFAULT_ROUNDS } from './session/run-checks.ts';
export type {
  Assignment,
  PrepareSession,
  RunRequest,
  RunService,
  SessionStart,
  StartedRun,
  StopMode,
} from './session/run/run-options.ts';
export { createRunService } from './session/run/run-service.ts';
export type { SessionRequests } from './shared/session-requests.ts';
export type { UntilLine } from './session/run/run-until.ts';
export { runSession } from './session/run-session.ts';
export type { Finish } from './session/recorded-call.ts';
export type { SessionMessage, SessionHandle, SessionSummary, TurnOffer } from './session/session-options.ts';
export { readStuckCommands } from './monitor/stuck-commands.ts';
export { type PersonCall, type PersonOutcome, submitForPerson } from './submit-for-person.ts';
export { costOf, type TokenPrices } from './session/token-cost.ts';
