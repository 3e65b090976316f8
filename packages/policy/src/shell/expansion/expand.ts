import type * as ast from 'unbash';
import { expandBraces, MAX_WORDS } from '../syntax/braces.ts';
import { STEPS } from '../budget.ts';
import { appendTexts, appendUnknown, type Draft, emptyDraft, finish } from './draft.ts';
import { assignTo, evaluateName, evaluateText, SET_BY_BASH } from './evaluate.ts';
import { FRESH_FILE, isSecret } from '../paths/path-words.ts';
import type { EvaluationContext } from '../program.ts';
import { isNumberValue, type ShellState, UNKNOWN_VARIABLE } from '../state.ts';
import { readVariable } from './variables.ts';
import type { Visit } from '../visit.ts';
import { lengthOf, mixOrigins, PLAIN, textOf, textsOf, type Value, type Word } from '../word.ts';

/** Expands a word, with all effects of its substitutions. */
export function expandWord(word: ast.Word, context: EvaluationContext, visit: Visit): readonly Word[] {
  const span = context.spanOf(word);
  context.walk.spendOnParsing(word.text);
  const { parts } = word;
  if (parts === undefined) {
    const text = word.text.startsWith('~') ? expandTilde(word.value, context) : word.value;
    context.walk.spend(STEPS.item + text.length * STEPS.perCharacter);
    return [{ kind: 'literal', text, span, origin: PLAIN }];
  }
  let drafts: Draft[] = [emptyDraft()];
  let first = true;
  for (const part of parts) {
    const isTilde = first && part.type === 'Literal' && part.text.startsWith('~');
    first = false;
    if (isTilde) appendTexts(drafts, [expandTilde(part.value, context)]);
    else if (part.type === 'BraceExpansion') drafts = multiply(drafts, part, { context, visit });
    else appendPart(drafts, part, { quoted: false, context, visit });
  }
  for (const { texts } of drafts) context.walk.spend(STEPS.item + lengthOf(texts) * STEPS.perCharacter);
  return drafts.map((draft) => ({ ...finish(draft), span, origin: draft.origin }));
}

/** A word without splitting and globbing: a here-string, an assignment. */
export function expandToOne(word: ast.Word, context: EvaluationContext, visit: Visit): Word {
  const words = expandWord(word, context, visit);
  const [only] = words;
  if (only !== undefined && words.length === 1) {
    return only.kind === 'glob' ? { ...only, kind: 'literal', text: only.pattern } : only;
  }
  return { kind: 'dynamic', beginning: '', splits: false, span: context.spanOf(word), origin: PLAIN };
}

function multiply(
  drafts: Draft[],
  part: ast.BraceExpansionPart,
  { context, visit }: Readonly<{ context: EvaluationContext; visit: Visit }>,
): Draft[] {
  const alternatives = part.parts === undefined ? expandBraces(part.text) : undefined;
  context.walk.spend((drafts.length + (alternatives?.length ?? 0)) * STEPS.perCharacter);
  if (alternatives === undefined || alternatives.length * drafts.length > MAX_WORDS) {
    for (const inner of part.parts ?? [])
      appendPart([emptyDraft()], inner, { quoted: false, context, visit });
    appendUnknown(drafts, true, { guess: undefined, origin: PLAIN });
    return drafts;
  }
  return alternatives.flatMap((text) => {
    const copies = drafts.map((draft) => ({ ...draft }));
    appendTexts(copies, [text]);
    return copies;
  });
}

function appendPart(
  drafts: Draft[],
  part: ast.WordPart,
  { quoted, context, visit }: Readonly<{ quoted: boolean; context: EvaluationContext; visit: Visit }>,
): void {
  context.walk.spend(drafts.length * STEPS.perCharacter);
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return appendTexts(drafts, [part.value]);
    case 'AnsiCQuoted':
      return appendTexts(drafts, [part.value.replace(/\0.*$/s, '')]);
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) appendPart(drafts, child, { quoted: true, context, visit });
      return;
    case 'Glob':
    case 'ExtendedGlob':
      for (const inner of part.parts ?? [])
        appendPart([emptyDraft()], inner, { quoted: true, context, visit });
      appendTexts(drafts, [part.text]);
      for (const draft of drafts) draft.glob = true;
      return;
    case 'BraceExpansion':
      return appendUnknown(drafts, true, { guess: undefined, origin: PLAIN });
    case 'SimpleExpansion':
      return appendVariable(drafts, part.text.slice(1), { quoted, context, part });
    case 'ParameterExpansion':
      return appendParameter(drafts, part, { quoted, context, visit });
    case 'ArithmeticExpansion':
      if (part.expression === undefined)
        evaluateText(part.text.replaceAll(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ''), context.spanOf(part), context);
      visit.arithmetic(part.expression, part, context);
      return appendUnknown(drafts, false, { guess: undefined, origin: PLAIN, isNumber: true });
    case 'CommandExpansion':
    case 'ProcessSubstitution': {
      const what = part.type === 'CommandExpansion' ? 'substitution' : 'process-substitution';
      context.report.composed();
      // `${ ls; }` belongs to a later bash; this one can't parse it.
      if (part.text.startsWith('${'))
        context.report.raise('warning', 'unparseable', {
          text: "contains a substitution that can't be parsed",
          span: context.spanOf(part),
        });
      // Its text is parsed only on demand.
      context.walk.spendOnParsing(part.text);
      const { origin, printed, isNumber } = visit.script(part.script, part, context);
      if (what === 'substitution' && printed === FRESH_FILE) return appendTexts(drafts, [FRESH_FILE]);
      if (what === 'substitution')
        return appendUnknown(drafts, !quoted, { guess: printed, origin, isNumber });
      // Its word is the name of a stream, independent of names in its content.
      return appendUnknown(drafts, false, { guess: printed, origin: { ...origin, namesSecret: false } });
    }
  }
}

function appendVariable(
  drafts: readonly Draft[],
  name: string,
  { quoted, context, part }: Readonly<{ quoted: boolean; context: EvaluationContext; part: ast.WordPart }>,
): void {
  const { value, origin } = readVariable(name, context, part);
  const isNumber = isNumberValue(value) || isUnset(name, context.state);
  const texts = textsOf(value);
  context.walk.spend(lengthOf(texts ?? []) * STEPS.perCharacter);
  // Unquoted, a value with blanks or wildcards becomes several words, and an empty one none.
  const separators = context.state.variables.get('IFS');
  const isOneWord =
    separators === undefined && texts?.every((text) => text !== '' && !/[\s*?[]/.test(text)) === true;
  if (texts !== undefined && (quoted || isOneWord)) return appendTexts(drafts, texts);
  const beginning = value.kind === 'dynamic' && separators === undefined ? value.beginning : '';
  if (beginning !== '') appendTexts(drafts, [beginning]);
  const known = value.kind === 'dynamic' ? value.guess?.slice(beginning.length) : texts?.[0];
  const guess = splitAt(known, textOf(separators?.value));
  const splits = name === '@' || (!quoted && !/^[?$#!-]$/.test(name) && !isNumberValue(value));
  appendUnknown(drafts, splits, { guess, origin, isNumber });
}

/** `IFS=,; x=rm,-rf; $x`: separators are blanks in the guess. */
function splitAt(text: string | undefined, separators: string | undefined): string | undefined {
  if (text === undefined || separators === undefined) return text;
  return text
    .split('')
    .map((char) => (separators.includes(char) ? ' ' : char))
    .join('');
}

function appendParameter(
  drafts: readonly Draft[],
  part: ast.ParameterExpansionPart,
  { quoted, context, visit }: Readonly<{ quoted: boolean; context: EvaluationContext; visit: Visit }>,
): void {
  const { operation, index } = part;
  const isMap = context.state.variables.get(part.parameter)?.isMap === true;
  if (index !== undefined && isMap) expandWord(index, context, visit);
  else if (index !== undefined) visit.subscript(index, context);
  if (operation === undefined && index === undefined && part.prefix === undefined) {
    return appendVariable(drafts, part.parameter, { quoted, context, part });
  }
  // `${#TOKEN}` and `${TOKEN:+set}` reveal only whether it is set.
  const isShown = part.prefix !== '#' && !isAlternative(operation);
  const { value, origin } = isShown ? readVariable(part.parameter, context, part) : UNKNOWN_VARIABLE;
  // `${file%.bak}`: a part of a secret's name may remain.
  const namesSecret = textsOf(value)?.some((text) => isSecret(text)) === true;
  if (operation?.type === 'Names')
    context.report.raise('warning', 'lists-variables', {
      text: 'lists variables by name',
      span: context.spanOf(part),
    });
  else if (part.prefix === '!' && !/^[@*]$/.test(index?.text ?? '')) {
    readIndirectly(value, part, context);
  }
  const operands = operandsOf(operation).flatMap((operand) => expandWord(operand, context, visit));
  const fallback = operation?.type === 'Default' ? textOf(operands[0]) : undefined;
  if (operation?.type === 'Transform' && operation.operand.value === 'P') {
    context.report.raise('dangerous', 'prompt-expansion', {
      text: `expands a value as a prompt, which can run code: ${part.text.slice(0, 40)}`,
      span: context.spanOf(part),
    });
  }
  if (operation?.type === 'Slice') {
    visit.subscript(operation.offset, context);
    if (operation.length !== undefined) visit.subscript(operation.length, context);
  }
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) {
    assignTo(part.parameter, UNKNOWN_VARIABLE, { span: context.spanOf(part), context });
  }
  // `"${a[@]}"` is as many words as the array has, quoted too.
  const isAll = part.parameter === '@' || index?.text === '@' || operation?.type === 'Names';
  appendUnknown(drafts, (isAll || !quoted) && part.prefix !== '#', {
    guess: fallback,
    origin: mixOrigins(origin, { ...PLAIN, namesSecret }),
    isNumber: part.prefix === '#' || staysNumber(part, value, { operands, evaluationContext: context }),
  });
}

/** `${#a}`, `${n:-1}`, `${n%.*}`, `${a[i]}`: of a number only digits remain. */
function staysNumber(
  { operation, parameter, prefix, index }: ast.ParameterExpansionPart,
  value: Value,
  {
    operands,
    evaluationContext: { state, source },
  }: Readonly<{ operands: readonly Word[]; evaluationContext: EvaluationContext }>,
): boolean {
  // The subscripts of an array are numbers, those of a map are not.
  const known = state.variables.get(parameter);
  if (prefix === '!' && index !== undefined)
    return known !== undefined && known.isMap !== true && !/-\w*A/.test(source);
  if (prefix === '!') return false;
  if (!isNumberValue(value) && !isUnset(parameter, state)) return false;
  if (operation?.type === 'Default') return operands.every((operand) => isNumberValue(operand));
  return operation === undefined || operation.type === 'Slice' || operation.type === 'Remove';
}

/** Never set: arithmetic reads it as zero. */
function isUnset(name: string, state: ShellState): boolean {
  if (/^[?#$!]$/.test(name)) return true;
  return /^[A-Za-z]/.test(name) && !SET_BY_BASH.test(name) && !state.variables.has(name) && !state.isOpen;
}

/** `${!n}`: the value of `n` is used as a name, and the subscript of `a[$(id)]` is evaluated. */
function readIndirectly(value: Value, part: ast.ParameterExpansionPart, context: EvaluationContext): void {
  const span = context.spanOf(part);
  const texts = textsOf(value);
  for (const text of texts ?? []) readVariable(text, context, part);
  evaluateName({ ...value, span, origin: PLAIN }, context);
  if (texts === undefined)
    context.report.raise('warning', 'indirect-variable', {
      text: 'reads a variable whose name is the value of another',
      span,
    });
}

function isAlternative(operation: ast.ParameterOperation | undefined): boolean {
  return operation?.type === 'Default' && operation.operator.endsWith('+');
}

function operandsOf(operation: ast.ParameterOperation | undefined): readonly ast.Word[] {
  switch (operation?.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
      return [operation.operand];
    case 'Replace':
      return [operation.pattern, operation.replacement];
    case 'CaseModification':
      return operation.operand === undefined ? [] : [operation.operand];
    case 'Slice':
    case 'Names':
    case 'Unknown':
    case undefined:
      return [];
  }
}

function expandTilde(text: string, context: EvaluationContext): string {
  const slash = text.indexOf('/');
  const user = slash < 0 ? text.slice(1) : text.slice(1, slash);
  const rest = slash < 0 ? '' : text.slice(slash);
  if (user === '') return context.lineContext.home + rest;
  // In an unknown directory it is a path relative to that one.
  if (user === '+') return context.state.cwd === undefined ? `.${rest}` : context.state.cwd + rest;
  if (user === 'root') return `/root${rest}`;
  return `/home/${user}${rest}`;
}
