import { createEntryCode, enter, getYou, leave } from './access.ts';
import {
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
import { commitReview, getDiff, getReview, keepReviewed, listKept, undoCommand } from './change.ts';
import {
  attendCommand,
  cancelCommand,
  exportHistory,
  getCommand,
  listCommands,
  prioritizeCommand,
  submitCommand,
} from './command.ts';
import { followEvents } from './events.ts';
import { getHealth, getMetrics, getReady } from './health.ts';
import { getCoordinator, stopCoordinator } from './coordinator.ts';
import { getHello } from './hello.ts';
import { getMode, setMode } from './mode.ts';
import { readOutput, searchOutput } from './output.ts';
import { openPort } from './port.ts';
import { explainLine, reloadPolicy } from './policy.ts';
import { getQueue, listLeases, revokeLease } from './queue.ts';
import { addRule, checkRule, listRules, removeRule } from './rule.ts';
import { getRun, listRuns, startRun, startSession, stopRun } from './run.ts';
import { getTranscript, grantTurns, listSessions, stopSession } from './session.ts';
import { getStats, getTimeline } from './statistics.ts';
import { listTools } from './tool.ts';
import { getSnapshot, getWorkspace, listProviders } from './workspace.ts';

/** Every operation that answers with JSON; the client has a method for each, by this name. */
export const operations = {
  addRule,
  attendCommand,
  cancelCommand,
  checkRule,
  checkRuleForCall,
  commitReview,
  createEntryCode,
  enter,
  explainLine,
  extendApproval,
  getCommand,
  getCoordinator,
  getDiff,
  getHealth,
  getHello,
  getMode,
  getQueue,
  getReady,
  getReview,
  getRun,
  getSnapshot,
  getStats,
  getTimeline,
  getTranscript,
  getWorkspace,
  getYou,
  grantApproval,
  grantTurns,
  judgeApproval,
  keepReviewed,
  leave,
  listApprovals,
  listCommands,
  listKept,
  listLeases,
  listProviders,
  listRules,
  listRuns,
  listSessions,
  listTools,
  modifyApproval,
  previewApproval,
  prioritizeCommand,
  proposeRule,
  readOutput,
  refuseApproval,
  reloadPolicy,
  rememberApproval,
  removeRule,
  revokeLease,
  searchOutput,
  setMode,
  startRun,
  startSession,
  stopCoordinator,
  stopRun,
  stopSession,
  submitCommand,
  undoCommand,
} as const;

/** Those that answer with something else: a stream of events, a file, text for Prometheus. */
export const streams = { exportHistory, followEvents, getMetrics, openPort } as const;
