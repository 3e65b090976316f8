import type { SessionEntry } from '@signalbox/api';
import type { JsonObject, Usage } from '@signalbox/core';
import { visible } from '@signalbox/core/visible-text';

type EntryOf<Kind extends SessionEntry['kind']> = Extract<SessionEntry, { kind: Kind }>;

/**
 * A session as Markdown that is read on GitHub. Texts of models, people and programs are shown as they are: prose is
 * escaped, all else is in a fence that it can't close, so that none of it becomes a link, an image or HTML.
 */
export async function* markdownOf(entries: AsyncIterable<SessionEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${textOf(entry)}\n\n`;
}

function textOf(entry: SessionEntry): string {
  switch (entry.kind) {
    case 'session':
      return headOf(entry);
    case 'turn': {
      const cost = [usageText(entry.usage), ...moneyText(entry.costUsd)].join(' · ');
      const says = entry.says.trim() === '' ? [] : [prose(entry.says)];
      return [`## Turn ${entry.turn}`, `*${timeText(entry.at)} · ${cost}*`, ...says].join('\n\n');
    }
    case 'message':
      return `### ${inline(entry.by)} says${entry.interrupts ? ', instead of what it did' : ''}\n\n${prose(entry.text)}`;
    case 'restart':
      return `*Continued after a restart at ${timeText(entry.at)}; ${entry.changed} files that it had read were changed by others*`;
    case 'trouble':
      return `*Turn ${entry.turn} failed at ${timeText(entry.at)}: ${inline(entry.message)}*`;
    case 'compression': {
      const summary = entry.summary === '' ? [] : [fenced(entry.summary, 'text')];
      return [
        `### Conversation compressed`,
        `${entry.beforeTokens} to ${entry.afterTokens} tokens; ${inline(entry.reason)}`,
        ...summary,
      ].join('\n\n');
    }
    case 'call':
      return `### Call: ${inline(entry.tool)}\n\n${argsText(entry)}`;
    case 'approval':
      return approvalText(entry);
    case 'result':
      return resultText(entry);
    case 'end': {
      const cost = [usageText(entry.usage), ...moneyText(entry.costUsd)].join(' · ');
      const message = entry.message.trim() === '' ? [] : [prose(entry.message)];
      return [
        `## Ended: ${inline(entry.finish)}`,
        `*${timeText(entry.at)} · ${entry.turns} turns · ${cost}*`,
        ...message,
      ].join('\n\n');
    }
  }
}

function headOf({ session }: EntryOf<'session'>): string {
  const { id, provider, model, task, startedAt } = session;
  return [
    `# Session of ${inline(provider)}`,
    [`- Session: ${id}`, `- Model: ${inline(model)}`, `- Started: ${timeText(startedAt)}`].join('\n'),
    '## Task',
    prose(task),
  ].join('\n\n');
}

function argsText({ tool, args, title }: EntryOf<'call'>): string {
  if (args === null) return `${inline(title)} (its arguments are no longer in the history)`;
  const line = lineOf(tool, args);
  return line === null ? fenced(JSON.stringify(args, null, 2), 'json') : fenced(line, 'sh');
}

/** A shell line without further arguments. */
function lineOf(tool: string, { line, ...others }: JsonObject): string | null {
  return tool === 'bash' && typeof line === 'string' && Object.keys(others).length === 0 ? line : null;
}

function approvalText({ status, by, reason, question, answer }: EntryOf<'approval'>): string {
  const who = by === null ? '' : ` by ${inline(by)}`;
  if (question !== null) {
    const choices = question.choices.map((choice) => `- ${inline(choice)}`).join('\n');
    const said = answer === null ? `Not answered: ${status}${who}` : `Answered${who}:\n\n${prose(answer)}`;
    return [prose(question.text), ...(choices === '' ? [] : [choices]), said].join('\n\n');
  }
  const why = reason === null ? '' : `: ${inline(reason)}`;
  return `*Needed approval: ${status}${who}${why}*`;
}

function resultText({ outcome, success, content, notes, changed }: EntryOf<'result'>): string {
  const how = outcome?.replace('_', ' ') ?? (success ? 'completed' : 'not completed');
  const body = content === null ? '*No longer in the history*' : fenced(content, 'text');
  return [
    `<details>\n<summary>Result: ${how}</summary>`,
    body,
    ...notes.map((note) => `*${inline(note)}*`),
    ...(changed.length === 0 ? [] : [`Changed: ${changed.map(inline).join(', ')}`]),
    '</details>',
  ].join('\n\n');
}

function usageText({ inputTokens, outputTokens }: Usage): string {
  return `${inputTokens} tokens in, ${outputTokens} out`;
}

function moneyText(costUsd: number | null): readonly string[] {
  return costUsd === null ? [] : [`$${costUsd.toFixed(4)}`];
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** In a fence that is longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text.replace(/\n$/, ''), 'output')}\n${fence}`;
}

/** Paragraphs and lines stay; no character has a meaning in Markdown or HTML. */
function prose(text: string): string {
  return visible(text.trim(), 'lines').split('\n').map(proseLine).join('\n');
}

/** A line break within a paragraph is two blanks at the end of its line. */
function proseLine(row: string): string {
  if (row.trim() === '') return '';
  const indent = row.length - row.trimStart().length;
  return `${'&nbsp;'.repeat(Math.min(indent, MAX_INDENT))}${escapedText(row.trim())}  `;
}

const MAX_INDENT = 16;

function inline(text: string): string {
  return escapedText(visible(text));
}

function escapedText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~$]/g, String.raw`\$&`)
    .replace(/^[#+=:-]/, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`);
}
