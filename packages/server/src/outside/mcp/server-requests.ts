/**
 * Answers the requests that a server sends to its client during a call, for example sampling and
 * elicitation. An error that this function throws is sent to the server as the answer.
 */
export type OnServerRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<unknown>;
