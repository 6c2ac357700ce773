/**
 * Answers requests of a server to its client during work: sampling, elicitation. An error that it
 * throws is the answer too.
 */
export type OnServerRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<unknown>;
