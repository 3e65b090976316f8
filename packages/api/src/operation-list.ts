/** Every operation that answers with JSON, by the name of the client's method. */
export { createEntryCode, enter, getYou, leave } from './operations/access.ts';
export {
  answerQuestion,
  checkRuleForCall,
  extendApproval,
  grantApproval,
  judgeApproval,
  listApprovals,
  modifyApproval,
  previewApproval,
  proposeRule,
  refuseApproval,
  rememberApproval,
} from './operations/approval.ts';
export {
  commitReview,
  getDiff,
  getReview,
  keepReviewed,
  listKept,
  undoCommand,
} from './operations/change.ts';
export {
  attendCommand,
  cancelCommand,
  getCommand,
  listCommands,
  prioritizeCommand,
  submitCommand,
} from './operations/command.ts';
export { getHealth, getReady } from './operations/health.ts';
export { getActors } from './operations/actors.ts';
export { getCoordinator, stopCoordinator } from './operations/coordinator.ts';
export { getHello } from './operations/hello.ts';
export { getMode, setMode } from './operations/mode.ts';
export { readOutput, searchOutput } from './operations/output.ts';
export { clearResultCache, getResultCache } from './operations/result-cache.ts';
export { explainLine, reloadPolicy } from './operations/policy.ts';
export { getQueue, listLeases, revokeLease } from './operations/queue.ts';
export { addRule, checkRule, listRules, removeRule } from './operations/rule.ts';
export { getRun, listRuns, resumeRun, startRun, startSession, stopRun } from './operations/run.ts';
export {
  compressSession,
  getTranscript,
  grantTurns,
  listSessions,
  sayToSession,
  stopSession,
} from './operations/session.ts';
export { getStats, getTimeline } from './operations/statistics.ts';
export { getStatus } from './operations/status.ts';
export { listTools } from './operations/tool.ts';
export { getSnapshot, getWorkspace, listProviders } from './operations/workspace.ts';
