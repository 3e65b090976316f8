export { BUILT_IN_RULES, type RuleId } from './governance/built-in-rules.ts';
export { createPolicy, type Policy } from './governance/create-policy.ts';
export type { Question } from './governance/question.ts';
export type { Ask, Deny } from './governance/rulings.ts';
export { verdictOfTool } from './governance/verdict-of-tool.ts';
export { classifyLine, type ClassifyOptions } from './shell/classify-line.ts';
export { type Summary, summaryOf } from './shell/summary.ts';
