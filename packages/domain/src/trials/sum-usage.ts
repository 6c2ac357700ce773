/**
 * Adds up the tokens of all answers in a trial. If one answer lacks a number, the sum is unknown:
 * the sum of the others would be too low, and a token budget might wrongly pass.
 */
import {
  type ReportedTokenUsage,
  tokenUsage,
  totalReportedTokens as totalTokensOf,
} from '../ingestion/token-usage.ts';

export function sumUsage(answers: readonly ReportedTokenUsage[]): ReportedTokenUsage | null {
  let input: number | undefined = 0;
  let output: number | undefined = 0;
  let total: number | undefined = 0;
  for (const { inputTokens, outputTokens, totalTokens } of answers) {
    const one = tokenUsage({ input: inputTokens, output: outputTokens, total: totalTokens });
    input = plus(input, one?.inputTokens);
    output = plus(output, one?.outputTokens);
    // The total is computed per answer. An answer may report a total below the sum of its own
    // parts, which must not lower the sum.
    total = plus(total, (one && totalTokensOf(one)) ?? undefined);
  }
  return answers.length === 0 ? null : tokenUsage({ input, output, total });
}

export function tokensUsed(usage: ReportedTokenUsage | null): number | null {
  return usage === null ? null : totalTokensOf(usage);
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
