/**
 * Returns the model's answer after a tool result: the texts of the result, else its structured
 * content, else a note that the result was empty.
 */
import { isRecord } from '@proofmark/domain';
import type { ToolResultPart } from '../model-gateway.ts';

export function answerFromResult(parts: readonly ToolResultPart[]): string {
  const answers = parts.map(answerFromPart);
  return answers.length === 0
    ? 'The tool gave no result.'
    : answers.join('\n').slice(0, longestAnswer);
}

const longestAnswer = 4_000;
const mostLines = 50;

function answerFromPart({ toolName, output }: ToolResultPart): string {
  if (output.type === 'error-text') return `The tool ${toolName} failed: ${output.value}`;
  const result = recordOf(output.value);
  const text = textIn(result['content']);
  if (result['isError'] === true) {
    return `The tool ${toolName} failed${text === '' ? '.' : `: ${text}`}`;
  }
  if (text !== '') return text;
  const structured = 'structuredContent' in result ? result['structuredContent'] : undefined;
  const rendered = structured === undefined ? '' : render(structured);
  return rendered === '' ? `The tool ${toolName} gave no text.` : rendered;
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .slice(0, mostLines)
    .map((part) => recordOf(part)['text'])
    .filter((text): text is string => typeof text === 'string' && text !== '')
    .join('\n')
    .slice(0, longestAnswer);
}

/** Returns `name: value` for each field of an object; nested values are written as JSON. */
function render(value: unknown): string {
  const record = recordOf(value);
  const names = Object.keys(record).slice(0, mostLines);
  if (names.length === 0) return json(value);
  return names
    .map((name) => {
      const field = record[name];
      return `${name}: ${typeof field === 'string' ? field : json(field)}`;
    })
    .join('; ')
    .slice(0, longestAnswer);
}

function json(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, longestAnswer);
  } catch {
    return '';
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
