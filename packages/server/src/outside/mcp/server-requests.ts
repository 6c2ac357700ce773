/** Answers what a server asks of its client while it works: sampling, elicitation. What it throws is the answer, too. */
export type OnServerRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<unknown>;
