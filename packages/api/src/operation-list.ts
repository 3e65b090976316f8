/** Every operation that answers with JSON, by the name of the client's method. */
export { createEntryCode, enter, getYou, leave } from './access.ts';
export {
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
} from './approval.ts';
export { commitReview, getDiff, getReview, keepReviewed, listKept, undoCommand } from './change.ts';
export {
  attendCommand,
  cancelCommand,
  getCommand,
  listCommands,
  prioritizeCommand,
  submitCommand,
} from './command.ts';
export { getHealth, getReady } from './health.ts';
export { getActors } from './actors.ts';
export { getCoordinator, stopCoordinator } from './coordinator.ts';
export { getHello } from './hello.ts';
export { getMode, setMode } from './mode.ts';
export { readOutput, searchOutput } from './output.ts';
export { explainLine, reloadPolicy } from './policy.ts';
export { getQueue, listLeases, revokeLease } from './queue.ts';
export { addRule, checkRule, listRules, removeRule } from './rule.ts';
export { getRun, listRuns, startRun, startSession, stopRun } from './run.ts';
export { getTranscript, grantTurns, listSessions, stopSession } from './session.ts';
export { getStats, getTimeline } from './statistics.ts';
export { getStatus } from './status.ts';
export { listTools } from './tool.ts';
export { getSnapshot, getWorkspace, listProviders } from './workspace.ts';
