import {
  agreedPatterns,
  ASK_PERSON,
  type Effect,
  GOES_BY,
  isAtLeast,
  type Level,
  type Ruling,
  type Settings,
  strictestLevel,
} from '@signalbox/core';
import {
  CHANGES_SERVICE,
  SHARES_NETWORK,
  TAKES_UNTRACKED,
  TAKES_WORK,
} from '../shell/report/reason-codes.ts';
import { switchedOnRead } from '../logins/logged-in-read.ts';
import { changesProgramFile, programFileText } from './program-file-reasons.ts';
import type { Question } from './question.ts';
import { type Allow, allow, type Ask, ask, deny, neediest } from './rulings.ts';
import { listingOf, toolPolicyOf } from './tool-settings.ts';
import { askedByEffect } from './tools-of-effects.ts';
import { unknownPrograms } from './verdict-gate.ts';
import { levelOfCategory } from './verdict-of-tool.ts';

/**
 * Whether a call that may run needs approval first (E1, E2, E5, D5, D9).
 *
 * @param gates what mode, paths and user rules require: nothing skips those, not even `allow_all`.
 * @param lifts the user rule that lets a call run which would otherwise need approval at level `warning`.
 */
export function approvalOf(
  question: Question,
  settings: Settings,
  {
    gates,
    lifts,
  }: { readonly gates: readonly Ask[]; readonly lifts: (question: Question) => Allow | undefined },
): Ruling {
  const { approval } = settings;
  const level = levelOf(question, settings);
  const { approval_mode: mode } = approval;
  if (mode === 'deny_all') {
    return deny('approval-deny-all', {
      message: `Cannot call ${question.tool.name}: approval_mode is deny_all`,
      suggestion: 'Stop and tell the user',
    });
  }
  if (question.tool.name === ASK_PERSON) return ask('question-asks');
  if (level === 'dangerous' && approval.deny_dangerous) {
    return deny('dangerous-denied', {
      message: `Cannot call ${question.tool.name}: it is dangerous, and deny_dangerous is on`,
      suggestion: 'Use a safer approach',
      why: question.verdict.reasons.map(({ code, text }) => `${code}: ${text}`),
    });
  }
  const dangerous = level === 'dangerous' ? ask('dangerous-asks') : undefined;
  const firm = neediest([dangerous, ...gates, firmAsk(question, level)]);
  if (firm !== undefined) return firm;
  if (mode !== 'prompt' && changesProgramFile(question.verdict.reasons)) {
    return lifts(question) ?? ask('program-files-ask', programFileText(question.verdict.reasons));
  }
  if (mode !== 'prompt' && takesWork(question.verdict)) return lifts(question) ?? ask('takes-work-asks');
  if (mode === 'allow_all') return allow('allow-all');
  if (mode === 'prompt') return ask('approval-asks-all');
  const ruling = level === 'safe' ? rulingOnSafe(question, settings) : rulingOnWarning(question, settings);
  return ruling.kind === 'ask' ? (lifts(question) ?? ruling) : ruling;
}

/** Approvals that no approval mode and no list can skip. */
function firmAsk({ tool, context, verdict, sandboxed }: Question, level: Level): Ask | undefined {
  if (tool.isChanged === true) return ask('changed-tool-asks');
  const runsCode =
    verdict.runsRepositoryCode || verdict.effects.some(({ kind }) => kind === 'repository-code');
  if (context.trust === 'untrusted' && (level !== 'safe' || runsCode)) return ask('untrusted-asks');
  return !sandboxed && (runsCode || tool.requiresSandbox) ? ask('unconfined-code-asks') : undefined;
}

function rulingOnSafe(question: Question, settings: Settings): Ruling {
  const listed = rulingOfLists(question, settings);
  if (listed !== undefined) return listed;
  return settings.approval.auto_approve_safe ? allow('safe-auto') : ask('safe-asks');
}

function rulingOnWarning(question: Question, settings: Settings): Ruling {
  const { verdict } = question;
  const isRead = question.sandboxed && switchedOnRead(question.line, settings) !== null;
  // an unknown program is never approved by a list or a switch.
  const unknown = isRead ? [] : unknownPrograms(verdict);
  if (unknown.length > 0) return ask('unknown-program-asks', unknownText(unknown));
  const listed = rulingOfLists(question, settings);
  if (listed !== undefined) return listed;
  if (isRead) return allow('reads-auto');
  const { prompt_on_warning: prompts } = settings.approval;
  if (prompts === false) return allow('warning-auto');
  if (prompts !== true && settings.approval.file_writes === 'never' && changesPlainFiles(question))
    return allow('writes-auto');
  // When every line has the network, no line is known to keep what it reads to itself.
  const isOffline = settings.sandbox.network.commands !== 'all';
  if (isOffline && prompts === 'unless_reversible' && canBeUndone(question, settings))
    return allow(isOnline(question) ? 'agreed-auto' : 'reversible-auto');
  if (isOffline && question.context.trust === 'trusted' && staysInside(question))
    return allow('trusted-auto');
  const reported = verdict.reasons.filter(({ code }, at) => at === 0 || code === SHARES_NETWORK);
  const why = [...reported.map(({ text }) => text), ...hostsAsked(question, settings)];
  return ask('warning-asks', why.length === 0 ? undefined : `Needs approval: ${why.join('; ')}`);
}

const MAX_PROGRAMS_SHOWN = 3;
const MAX_NAME = 60;

function unknownText(programs: readonly string[]): string {
  const names = [...new Set(programs)].map((name) => JSON.stringify(name.slice(0, MAX_NAME)));
  const more = names.length > MAX_PROGRAMS_SHOWN ? ` and ${names.length - MAX_PROGRAMS_SHOWN} more` : '';
  const reported = `${names.slice(0, MAX_PROGRAMS_SHOWN).join(', ')}${more}`;
  return names.length === 1
    ? `unknown program ${reported}: needs approval unless an allow rule names it`
    : `unknown programs ${reported}: need approval unless allow rules name them`;
}

const MAX_HOSTS_SHOWN = 5;

/** The hosts that are not agreed to yet, when those are the reason for the approval. */
function hostsAsked({ verdict }: Question, settings: Settings): readonly string[] {
  const open = verdict.effects.flatMap((effect) =>
    effect.kind === 'network' && !isAgreed(effect, settings) ? [effect.host ?? 'unknown hosts'] : [],
  );
  if (open.length === 0) return [];
  const hosts = [...new Set(open)];
  const more = hosts.length > MAX_HOSTS_SHOWN ? ` and ${hosts.length - MAX_HOSTS_SHOWN} more` : '';
  return [`reaches ${hosts.slice(0, MAX_HOSTS_SHOWN).join(', ')}${more}`];
}

/** Rulings by lists and policies of tools, at any level; no list of names skips an approval for an effect. */
function rulingOfLists(question: Question, settings: Settings): Ruling | undefined {
  const { tool } = question;
  const byEffect = askedByEffect(question, settings);
  if (byEffect !== undefined) return ask(byEffect.rule, byEffect.reason);
  const listing = listingOf(tool, settings);
  if (listing === 'auto') return allow('listed-auto');
  const name = GOES_BY[tool.name] ?? tool.name;
  if (listing === 'asks') return ask('writes-ask', `require_approval_tools lists ${name}`);
  return asksByItself(tool, settings) ? ask('tool-asks') : undefined;
}

function asksByItself(tool: Question['tool'], settings: Settings): boolean {
  return tool.policy === 'requires_approval' || toolPolicyOf(tool, settings).policy === 'requires_approval';
}

function staysInside({ verdict, sandboxed }: Question): boolean {
  const LEAVES = new Set(['network', 'write-unknown', 'secret', 'privilege']);
  return sandboxed && verdict.effects.every(({ kind }) => !LEAVES.has(kind));
}

/** Only known changes of workspace files, by a file tool or in the sandbox. */
function changesPlainFiles({ tool, verdict, sandboxed }: Question): boolean {
  const isHeld = tool.kind === 'mcp' ? false : tool.category === 'system_write' || sandboxed;
  if (!isHeld) return false;
  return verdict.effects.every((effect) =>
    effect.kind === 'resource'
      ? HELD_RESOURCES.test(effect.resource)
      : effect.kind === 'read' || effect.kind === 'write' || effect.kind === 'delete',
  );
}

/** Uncommitted work of others: no list or switch discards it without approval. */
function takesWork({ reasons }: Question['verdict']): boolean {
  return reasons.some(({ code }) => code === TAKES_WORK || code === TAKES_UNTRACKED);
}

/**
 * Effects that a transaction contains: nothing of them leaves the overlay except what is committed to the workspace.
 */
const HELD_IN: ReadonlySet<Effect['kind']> = new Set([
  'read',
  'write',
  'delete',
  'write-unknown',
  'repository-code',
]);
/**
 * Git's own files are in the workspace; a port belongs to a command's private network, and package caches are in a home
 * that is removed with it.
 */
const HELD_RESOURCES = /^(?:git|port):|-cache$|^(?:pnpm-store|cargo-registry)$/;

/**
 * Data handed to a server can't be undone, nor what an unknown program sent to hosts that were agreed to for another.
 */
const ASKED_ALL_THE_SAME: ReadonlySet<string> = new Set([CHANGES_SERVICE, SHARES_NETWORK]);

/** Whether `undo` restores everything that the call could do, and it contacts only agreed hosts. */
function canBeUndone({ verdict, sandboxed, reversible = false }: Question, settings: Settings): boolean {
  if (!sandboxed || !reversible || verdict.reasons.some(({ code }) => ASKED_ALL_THE_SAME.has(code)))
    return false;
  return verdict.effects.every((effect) => {
    if (effect.kind === 'network') return isAgreed(effect, settings);
    return effect.kind === 'resource' ? HELD_RESOURCES.test(effect.resource) : HELD_IN.has(effect.kind);
  });
}

/** Without the gate the hosts are not enforced. */
function isAgreed(effect: Extract<Effect, { kind: 'network' }>, { sandbox: { network } }: Settings): boolean {
  if (network.through !== 'gate') return false;
  return agreedPatterns(effect, network.agreed).length > 0 || isService(effect, network.services);
}

/** A port of this machine that the user's own settings open to every line. */
function isService({ host }: Extract<Effect, { kind: 'network' }>, services: readonly string[]): boolean {
  const port = /^(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)$/.exec(host ?? '')?.[1];
  return port !== undefined && services.some((service) => service.endsWith(`:${port}`));
}

function isOnline({ verdict }: Question): boolean {
  return verdict.effects.some(({ kind }) => kind === 'network');
}

/** The verdict's level, or a stricter one when settings put the tool in a stricter category. */
function levelOf({ tool, verdict }: Question, settings: Settings): Level {
  const { category } = toolPolicyOf(tool, settings);
  if (category === undefined || isAtLeast(verdict.level, 'dangerous')) return verdict.level;
  return strictestLevel([verdict.level, levelOfCategory(category, tool.risk)]);
}
