/**
 * Returns the token counts of the provider. The packages write 0 for missing figures, so a figure
 * counts only if the provider's raw answer contains it. From any two of input, output and total,
 * the third is calculated.
 */
import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ModelUsage } from './model-gateway.ts';

export function readUsage(usage: LanguageModelV3Usage | undefined): ModelUsage {
  const raw = usage?.raw;
  let input = reportedCount(usage?.inputTokens?.total, raw, inputNames);
  let output = reportedCount(usage?.outputTokens?.total, raw, outputNames);
  let total: number | undefined;
  for (const name of totalNames) total ??= count(raw?.[name]);
  if (total === undefined && input !== undefined && output !== undefined) total = input + output;
  if (total !== undefined && output === undefined && input !== undefined && input <= total) {
    output = total - input;
  }
  if (total !== undefined && input === undefined && output !== undefined && output <= total) {
    input = total - output;
  }
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(total !== undefined && { totalTokens: total }),
  };
}

const inputNames = ['prompt_tokens', 'input_tokens', 'promptTokenCount'];
const outputNames = [
  'completion_tokens',
  'output_tokens',
  'candidatesTokenCount',
  'thoughtsTokenCount',
];
const totalNames = ['total_tokens', 'totalTokenCount'];

function reportedCount(
  figure: number | undefined,
  raw: LanguageModelV3Usage['raw'],
  names: readonly string[],
): number | undefined {
  const known = count(figure);
  if (raw === undefined) return known === 0 ? undefined : known;
  return names.some((name) => count(raw[name]) !== undefined) ? known : undefined;
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
