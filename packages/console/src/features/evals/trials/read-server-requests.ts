/** What servers asked during a trial and what they were answered, as far as a trace says so. */
export interface ServerRequest {
  readonly method: string;
  /** The tool that asked. */
  readonly toolName?: string;
  readonly request: unknown;
  readonly answer: unknown;
  /** Why the server was not answered as the case says, or as it wanted. */
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

/** The tokens of all answers of a model; nothing where no provider counted them. */
export function samplingTokens(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null || !('totalTokens' in usage)) return undefined;
  return typeof usage.totalTokens === 'number' ? usage.totalTokens : undefined;
}
