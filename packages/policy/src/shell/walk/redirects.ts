import type * as ast from 'unbash';
import { assignTo, evaluateName } from '../expansion/evaluate.ts';
import { expandToOne, expandWord } from '../expansion/expand.ts';
import { listsSecret } from '../paths/named-secrets.ts';
import { absolutePath } from '../paths/paths.ts';
import type { EvaluationContext } from '../program.ts';
import { type Flow, NO_INPUT, UNKNOWN_VARIABLE } from '../state.ts';
import { touchRead, touchWrite } from '../paths/touch.ts';
import type { Visit } from '../visit.ts';
import { beginningOf, literal, mixOrigins, type Origin, PLAIN, textOf, type Word } from '../word.ts';
import { writtenAt } from '../paths/written.ts';

/** The standard input of a command, and the files that it prints into, by absolute path. */
export type RedirectedStreams = Readonly<{ stdin: Flow; outputs: readonly string[] }>;

/** Judges all redirects of a command. */
export function applyRedirects(
  redirects: readonly ast.Redirection[],
  context: EvaluationContext,
  visit: Visit,
): RedirectedStreams {
  let stdin = context.state.stdin;
  const outputs: string[] = [];
  for (const redirect of redirects) {
    context.report.composed();
    const { descriptor } = redirect;
    if (descriptor?.type === 'FileDescriptorVariable') {
      const span = context.spanOf(redirect);
      evaluateName(literal(descriptor.name, span), context);
      assignTo(descriptor.name.replace(/\[.*$/s, ''), UNKNOWN_VARIABLE, { span, context });
    }
    const flow = applyRedirect(redirect, context, { visit, outputs });
    const isInput = descriptor === undefined ? readsByDefault(redirect) : isStdin(descriptor);
    if (flow !== undefined && isInput) stdin = flow;
  }
  return { stdin, outputs };
}

/** `>& file` without a number is output; the others with a flow are input. */
function readsByDefault(redirect: ast.Redirection): boolean {
  return redirect.type !== 'Redirect' || redirect.operator !== '>&';
}

function isStdin(descriptor: ast.RedirectDescriptor): boolean {
  return descriptor.type === 'FileDescriptor' && descriptor.value === 0;
}

function applyRedirect(
  redirect: ast.Redirection,
  context: EvaluationContext,
  { visit, outputs }: Readonly<{ visit: Visit; outputs: string[] }>,
): Flow | undefined {
  if (redirect.type === 'HereDoc') return readHereDoc(redirect, context, visit);
  const { target } = redirect;
  if (target === undefined) {
    context.report.raise('warning', 'unparseable', {
      text: 'contains a redirect without a target',
      span: context.spanOf(redirect),
    });
    return undefined;
  }
  if (/^\d+$/.test(target.text) && /[<>]/.test(context.source[target.end] ?? '')) {
    // Bash reads `< 2>&1` as a `<` without a target; the parser reads the number as a file.
    context.report.raise('warning', 'unparseable', {
      text: 'contains a redirect without a target',
      span: context.spanOf(redirect),
    });
  }
  if (redirect.type === 'HereString') {
    const word = expandToOne(target, context, visit);
    if (textOf(word) === undefined)
      context.report.raise('warning', 'here-string', {
        text: "passes a here-string that can't be determined",
        span: context.spanOf(redirect),
      });
    return textFlow(textOf(word), word.origin);
  }
  const { namedSecrets } = context.report.sources;
  const words = expandWord(target, context, visit);
  if (redirect.operator !== '<') outputs.push(...words.flatMap((word) => pathOf(word, context)));
  const flow = applyFileRedirect(redirect, words, context);
  if (flow === undefined || context.report.sources.namedSecrets === namedSecrets) return flow;
  // `< <(ls .env)`: the list of names is the input.
  return { ...flow, origin: { ...flow.origin, namesSecret: true } };
}

function applyFileRedirect(
  redirect: ast.Redirect,
  words: readonly Word[],
  context: EvaluationContext,
): Flow | undefined {
  const { operator } = redirect;
  for (const word of words) {
    if (operator === '<') touchRead(context, word);
    else if (operator === '>&' || operator === '<&') duplicate(word, context);
    else touchWrite(context, word);
    if (operator === '<>') touchRead(context, word);
  }
  if (operator === '<&' || operator === '>&') {
    // `sh <&3`, `bash >& /dev/tcp/… 0>&1`: data from a connection that this line opened.
    return { kind: 'stream', origin: { ...PLAIN, network: context.report.sources.network > 0 } };
  }
  if (operator !== '<' && operator !== '<>') return undefined;
  if (words.every((word) => textOf(word) === '/dev/null')) return NO_INPUT;
  const network = words.some((word) => beginningOf(word).startsWith('/dev/tcp'));
  if (network) context.report.effect({ kind: 'network' });
  return {
    kind: 'file',
    origin: mixOrigins({ ...PLAIN, network }, ...words.map((word) => contentOf(word, context))),
  };
}

/** The origin of a file's bytes: a process substitution, or an earlier command. */
function contentOf(word: Word, context: EvaluationContext): Origin {
  return mixOrigins(word.origin, ...pathOf(word, context).map((path) => writtenAt(path, context) ?? PLAIN));
}

function pathOf(word: Word, { state }: EvaluationContext): readonly string[] {
  const text = textOf(word);
  return text === undefined || state.cwd === undefined ? [] : [absolutePath(text, state.cwd)];
}

/** `2>&1` copies a descriptor, `>&-` closes one, `>&name` writes a file. */
function duplicate(word: Word, context: EvaluationContext): void {
  const text = textOf(word);
  if (text !== undefined && /^(?:\d+-?|-)$/.test(text)) return;
  if (text?.startsWith('-') === true) {
    // Bash reads `2>&-sudo id` as `2>&-` and then `sudo id`; the parser does not.
    return context.report.raise('warning', 'glued-close', {
      text: 'contains a word attached to a closed descriptor',
      span: word.span,
    });
  }
  touchWrite(context, word);
}

function readHereDoc(redirect: ast.HereDoc, context: EvaluationContext, visit: Visit): Flow {
  const { body } = redirect;
  if (redirect.closing === undefined) {
    context.report.raise('warning', 'unparseable', {
      text: 'contains an unterminated here-document',
      span: context.spanOf(redirect),
    });
  }
  context.walk.spendOnParsing(body.text);
  if (redirect.delimiter?.quoted === true || body.parts === undefined) {
    return textFlow(body.text, PLAIN);
  }
  const value = {
    type: 'Word',
    text: '',
    value: '',
    pos: body.pos,
    end: body.end,
    parts: body.parts,
  } as const;
  const quoted = { type: 'DoubleQuoted', text: '', pos: body.pos, end: body.end, parts: body.parts } as const;
  const word = expandToOne({ ...value, parts: [quoted as ast.DoubleQuotedPart] }, context, visit);
  return textFlow(textOf(word), word.origin);
}

/** Text in the line itself, not in a file. */
function textFlow(text: string | undefined, origin: Origin): Flow {
  const namesSecret = origin.namesSecret || listsSecret(text ?? '');
  return { kind: 'stream', text, origin: { ...origin, namesSecret } };
}
