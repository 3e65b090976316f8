import { programFileReasons } from './program-file-reasons.ts';
import {
  type Effect,
  type Level,
  type NamedFiles,
  type Reason,
  strictestLevel,
  type Tool,
  type Verdict,
} from '@signalbox/core';

/** The verdict on a tool without a shell line, from its category, its risk and its effects (C8). */
export function verdictOfTool(
  tool: Pick<Tool, 'name' | 'category' | 'risk'>,
  effects: readonly Effect[],
  namedFiles?: () => NamedFiles,
): Verdict {
  const reasons = [
    reasonOfCategory(tool),
    ...effects.flatMap((effect) => reasonOfEffect(effect) ?? []),
    ...programFileReasons(effects, namedFiles),
  ];
  const level = strictestLevel(reasons.map((reason) => reason.level));
  return {
    level,
    reasons: [
      ...reasons.filter((reason) => reason.level === level),
      ...reasons.filter((reason) => reason.level !== level),
    ],
    effects,
    runsRepositoryCode: effects.some(({ kind }) => kind === 'repository-code'),
    composed: false,
  };
}

/** Level of a category by itself (S000-17, S000-19). */
export function levelOfCategory(category: Tool['category'], risk: Tool['risk']): Level {
  switch (category) {
    case 'read_only':
    case 'internal':
      return 'safe';
    case 'system_write':
    case 'execute':
      return 'warning';
    case 'network':
      return risk === 'high' ? 'dangerous' : 'warning';
  }
}

const CATEGORY_WORDS: Readonly<Record<Tool['category'], string>> = {
  read_only: 'only reads',
  internal: 'has no effect outside Signalbox',
  system_write: 'changes the workspace',
  execute: 'runs a program',
  network: 'contacts other machines',
};

function reasonOfCategory({ category, risk }: Pick<Tool, 'category' | 'risk'>): Reason {
  return {
    level: levelOfCategory(category, risk),
    code: `tool-${category.replace('_', '-')}`,
    text: `${CATEGORY_WORDS[category]}, ${risk} risk`,
  };
}

function reasonOfEffect(effect: Effect): Reason | undefined {
  switch (effect.kind) {
    case 'write':
      return { level: 'warning', code: 'writes-file', text: `writes ${effect.path}` };
    case 'delete':
      return effect.scope === 'file'
        ? { level: 'warning', code: 'deletes-file', text: `deletes ${effect.path} (high risk)` }
        : { level: 'dangerous', code: 'delete-recursive', text: `deletes recursively: ${effect.path}` };
    case 'write-unknown':
      return {
        level: 'warning',
        code: 'writes-unknown',
        text: 'writes paths that are known only after it has run',
      };
    case 'network':
      return {
        level: 'warning',
        code: 'network',
        text: effect.host === undefined ? 'contacts another machine' : `contacts ${effect.host}`,
      };
    case 'process':
      return { level: 'warning', code: 'starts-program', text: `starts ${effect.program}` };
    case 'privilege':
      return { level: 'blocked', code: 'privilege', text: `escalates privileges: ${effect.program}` };
    case 'secret':
      return { level: 'dangerous', code: 'reads-secret', text: `reads a secret: ${effect.path}` };
    case 'resource':
      return effect.access === 'write'
        ? { level: 'warning', code: 'changes-resource', text: `changes ${effect.resource}` }
        : undefined;
    case 'read':
    case 'repository-code':
      return undefined;
  }
}
