import type { CallToolResult } from '@modelcontextprotocol/client';
import { canonicalJson, type Json, type ToolAnswer, ToolFailure } from '@signalbox/core';
import { cleanJson, cleanText } from './clean-text.ts';

/** Upper bound on an answer in characters: about a long file. */
const MAX_TEXT_CHARACTERS = 100_000;
const MAX_ERROR_CHARACTERS = 4000;

/**
 * Converts a server's answer to a text or data, bounded and without terminal control sequences.
 *
 * @throws {ToolFailure} `mcp-tool-error` when the server reports a failure
 */
export function answerOf(tool: string, result: CallToolResult): ToolAnswer {
  const text = result.content.map(textOf).join('\n');
  if (result.isError === true) {
    throw new ToolFailure({
      code: 'mcp-tool-error',
      category: 'PermanentFailure',
      message: `${tool} failed: ${cleanText(text === '' ? 'its server gives no reason' : text, MAX_ERROR_CHARACTERS)}`,
      suggestion: 'Change the arguments, or use another approach',
    });
  }
  return { output: outputOf(text, result.structuredContent) };
}

function outputOf(text: string, data: unknown): Json {
  if (data === undefined || isSame(text, data)) return cleanText(text, MAX_TEXT_CHARACTERS);
  const written = JSON.stringify(data);
  if (text !== '') return cleanText(`${text}\n${written}`, MAX_TEXT_CHARACTERS);
  // Data over the bound is cut as text.
  return written.length > MAX_TEXT_CHARACTERS
    ? cleanText(written, MAX_TEXT_CHARACTERS)
    : (cleanJson(data, MAX_TEXT_CHARACTERS) as Json);
}

/**
 * Whether text and data are the same. The protocol asks servers to send data as text too; some send the text as
 * their only datum, or the datum as text.
 */
function isSame(text: string, data: unknown): boolean {
  const [only, ...others] = data !== null && typeof data === 'object' ? Object.values(data) : [data];
  const isOnly = (value: unknown): boolean =>
    others.length === 0 && canonicalJson(value) === canonicalJson(only);
  try {
    const written: unknown = JSON.parse(text);
    return canonicalJson(written) === canonicalJson(data) || isOnly(written);
  } catch {
    return isOnly(text);
  }
}

function textOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}, ${part.mimeType}, ${part.data.length} characters, left out]`;
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`;
    case 'resource':
      return 'text' in part.resource
        ? `[${part.resource.uri}]\n${part.resource.text}`
        : `[${part.resource.uri}, ${part.resource.blob.length} characters, left out]`;
    default:
      return '[a part of an unknown kind, left out]';
  }
}
