/**
 * Writes a request in the tool's own words: the first sentence of its description, then the
 * required parameters as `name: value`. Such a request tests whether a model finds a tool by its
 * description, not by the wording of real users.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { cleanText } from '../words/clean-text.ts';
import type { DraftedTurn, DraftTool } from './drafted-case.ts';
import { toolReference } from './drafted-case.ts';
import { sampleArguments } from './sample-value.ts';

/** Returns undefined if no valid arguments could be found. */
export function requestForTool(
  tool: DraftTool,
  all: readonly DraftTool[],
  between = '. ',
): DraftedTurn | undefined {
  const sampled = sampleArguments(tool.inputSchema);
  if ('problem' in sampled) return undefined;
  const { arguments: args } = sampled;
  const written = writtenFields(args);
  const sentence = sentenceOf(tool);
  return {
    prompt: written === '' ? `${sentence}.` : `${sentence}${between}${written}`,
    expected: [{ ...toolReference(tool, all), arguments: args }],
    ...(tool.widget !== undefined && { renders: [tool.name] }),
  };
}

/**
 * Returns the description's first sentence without its end mark, so that all requests end alike.
 */
function sentenceOf({ name, description = '' }: DraftTool): string {
  const text = cleanText(description.slice(0, longestRead), false);
  const summary = description.trim() === '' ? name.replaceAll(/[_-]+/g, ' ').trim() || name : text;
  const end = summary.search(/[.!?](?:\s|$)/);
  return (end > 0 ? summary.slice(0, end) : summary).replace(/[\s.!?:;,]+$/, '') || name;
}

const longestRead = 2_000;

export function writtenFields(fields: Json): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${written(value)}`)
    .join(', ');
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(' and ');
  if (isRecord(value)) return writtenFields(value);
  const text = String(value);
  return /[,;\n]/.test(text) && !text.includes('"') ? `"${text}"` : text;
}
