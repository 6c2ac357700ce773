/**
 * The tokens of a trial. If the input or the output is missing, it is computed from the total and
 * the other value. Nothing else is inferred.
 */
export interface ReportedTokens {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly total?: number | undefined;
}

export interface ReportedTokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}

export function tokenUsage(tokens: ReportedTokens | undefined): ReportedTokenUsage | null {
  if (tokens === undefined) return null;
  const { total } = tokens;
  const input = tokens.input ?? restOf(total, tokens.output);
  const output = tokens.output ?? restOf(total, tokens.input);
  if (input === undefined && output === undefined && total === undefined) return null;
  const usage: { -readonly [Name in keyof ReportedTokenUsage]: ReportedTokenUsage[Name] } = {};
  if (input !== undefined) usage.inputTokens = input;
  if (output !== undefined) usage.outputTokens = output;
  if (total !== undefined) usage.totalTokens = total;
  return usage;
}

/** Returns the reported total or the sum of input and output, whichever is larger. */
export function totalReportedTokens({
  inputTokens,
  outputTokens,
  totalTokens,
}: ReportedTokenUsage): number | null {
  const sum =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : inputTokens + outputTokens;
  if (sum === undefined) return totalTokens ?? null;
  return Math.max(sum, totalTokens ?? 0);
}

function restOf(total: number | undefined, half: number | undefined): number | undefined {
  return total === undefined || half === undefined || half > total ? undefined : total - half;
}
