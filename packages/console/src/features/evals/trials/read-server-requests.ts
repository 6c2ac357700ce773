export interface ServerRequest {
  readonly method: string;
  readonly toolName?: string;
  readonly request: unknown;
  readonly answer: unknown;
  /**
   * The reason why the server did not get the case's answer to its request, or got another answer
   * than it requested.
   */
  readonly withheld?: string;
}

export function readServerRequests(requests: unknown): ServerRequest[] {
  if (!Array.isArray(requests)) return [];
  return requests.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('method' in one)) return [];
    const { method, toolName, request, answer, withheld } = one as Record<string, unknown>;
    if (typeof method !== 'string') return [];
    return [
      {
        method,
        request,
        answer,
        ...(typeof toolName === 'string' && { toolName }),
        ...(typeof withheld === 'string' && { withheld }),
      },
    ];
  });
}

/**
 * Returns the number of tokens that models used to answer requests of servers (MCP sampling).
 * Undefined if no provider counted them.
 */
export function samplingTokens(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null || !('totalTokens' in usage)) return undefined;
  return typeof usage.totalTokens === 'number' ? usage.totalTokens : undefined;
}
