export { createEntryCode, enter, getYou, leave, Role } from './operations/access.ts';
export {
  checkRuleForCall,
  answerQuestion,
  extendApproval,
  FIVE_MINUTES_MS,
  grantApproval,
  judgeApproval,
  listApprovals,
  modifyApproval,
  previewApproval,
  proposeRule,
  refuseApproval,
  rememberApproval,
  WaitingApproval,
} from './operations/approval.ts';
export { CHANNEL_HEADER, StatedChannel } from './channel.ts';
export {
  commitReview,
  FileDiff,
  getDiff,
  getReview,
  keepReviewed,
  listKept,
  ReviewView,
  type ReviewCheckView,
  type ReviewFileView,
  undoCommand,
} from './operations/change.ts';
export { CommandQuery, ExportQuery, OUTCOMES } from './operations/command-query.ts';
export {
  type Answer,
  type ApiAnswer,
  type ApiRequest,
  ask,
  type OperationInput,
  ProblemError,
  problemOf,
  type Send,
} from './ask.ts';
export { type ApiClient, createClient } from './client.ts';
export { getStatus, StatusView } from './operations/status.ts';
export { type SummaryEvent, type CommandSummary, summaryAfter, summaryOf } from './command-summary.ts';
export {
  attendCommand,
  cancelCommand,
  CommandList,
  CommandParams,
  CommandView,
  exportHistory,
  getCommand,
  listCommands,
  prioritizeCommand,
  recordOf,
  submitCommand,
} from './operations/command.ts';
export { ActorTree, getActors } from './operations/actors.ts';
export { CoordinatorState, getCoordinator, stopCoordinator } from './operations/coordinator.ts';
export {
  AwayFrame,
  EventFilter,
  followEvents,
  HelloFrame,
  isAfter,
  parseEvent,
} from './operations/events.ts';
export { getHealth, getMetrics, getReady } from './operations/health.ts';
export { OpenedPort, openPort, PortReuse } from './port.ts';
export { getHello, Hello, PROTOCOL, RecoveryView } from './operations/hello.ts';
export { FORM_ANSWERS, FormAnswer, FormReply, ShowsForms, WaitForCall } from './mcp.ts';
export { getMode, ModeView, setMode } from './operations/mode.ts';
export { clearResultCache, getResultCache, ResultCacheView } from './operations/result-cache.ts';
export { defineOperation, type Operation } from './operation.ts';
export { operations, streams } from './operations.ts';
export {
  MAX_OUTPUT_PAGE_BYTES,
  type OutputMatchView,
  OutputPartView,
  OutputSearchView,
  readOutput,
  searchOutput,
} from './operations/output.ts';
export { explainLine, ExplanationView, reloadPolicy, type RuleStepView } from './operations/policy.ts';
export { Problem } from './problem.ts';
export {
  getQueue,
  listLeases,
  MAX_WAITING,
  QueueView,
  QueueWithStuck,
  revokeLease,
  WaitingView,
} from './operations/queue.ts';
export {
  addRule,
  checkRule,
  listRules,
  removeRule,
  RuleDraft,
  type RuleFile,
  RuleProposal,
  RuleScope,
  RuleView,
  StoredRule,
  WrittenRule,
} from './operations/rule.ts';
export {
  getRun,
  listRuns,
  resumeRun,
  RunCheck,
  RunView,
  startRun,
  startSession,
  stopRun,
} from './operations/run.ts';
export { runAfter, sessionAfter, type SessionChange } from './state/session-after.ts';
export {
  compressionOf,
  compressSession,
  getTranscript,
  grantTurns,
  listSessions,
  sayToSession,
  SessionView,
  stopSession,
  TranscriptItem,
} from './operations/session.ts';
export {
  getStats,
  getTimeline,
  ProviderStats,
  Stats,
  TimelineView,
  TimelineBucketView,
} from './operations/statistics.ts';
export { byteText } from './text/byte-text.ts';
export { filteredText } from './text/filtered-text.ts';
export { checkNote, checkResult, checkWord, WHY_CHECKS_HOLD } from './text/check-text.ts';
export { commitHash } from './text/commit-hash.ts';
export { reasonsUnder, whyRuled } from './text/reasons-under.ts';
export { clockTime, duration } from './text/duration-text.ts';
export { claimSourceText, gatesText } from './text/gate-text.ts';
export { runCheckText } from './text/run-check-text.ts';
export { reuseText } from './text/reuse-text.ts';
export { savingsNote, savingsText } from './text/savings-text.ts';
export { suspectText } from './text/suspect-text.ts';
export {
  COMPRESSION_WORDS,
  compressionNote,
  type EventText,
  eventText,
  inSentence,
} from './text/event-text.ts';
export { reportRows, reportText } from './text/check-report-text.ts';
export { exitCodeText } from './text/exit-code-text.ts';
export { NETWORK_REMEDY, refusalText, refusedIn } from './text/network-text.ts';
export { plural } from './text/plural.ts';
export { proposedMessage } from './text/proposed-message.ts';
export {
  endingWord,
  isStaleWrite,
  OUTCOME_WORDS,
  outcomeWord,
  QUESTION_WORD,
  sessionEnding,
  STATE_WORDS,
  stateWord,
} from './text/status-words.ts';
export { exportSession, SessionEntry } from './operations/session-export.ts';
export { listTools, type ToolQuery, ToolView } from './operations/tool.ts';
export {
  blockersOf,
  commandsIn,
  longestWaiting,
  openCommands,
  sinceOf,
} from './state/workspace-state-commands.ts';
export { type Endings } from './state/workspace-state-endings.ts';
export { costOf, type Lane, lanesOf, savedIn } from './state/workspace-state-lanes.ts';
export {
  applyEvents,
  newEvents,
  newWorkspaceState,
  type WorkspaceState,
  workspaceStateOf,
} from './state/workspace-state.ts';
export {
  getSnapshot,
  getWorkspace,
  type GitHead,
  listProviders,
  ProviderInfo,
  RECENT_COMMANDS,
  Snapshot,
  WorkspaceView,
} from './operations/workspace.ts';
