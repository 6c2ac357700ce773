/**
 * Whether a call measured the server at all. It did not where a provider failed that was to answer for the server, and
 * where it ended in an error after something was asked of us that we cannot do.
 */
import type { Unmeasured } from './call-server.ts';
import type { ServerAnswers } from './server-answers.ts';

export function unmeasuredCall(
  { providerFailure, setupFailure }: ServerAnswers,
  toolName: string,
  isError: boolean,
  missingAbility: unknown,
): Unmeasured | undefined {
  if (providerFailure !== undefined) return { kind: 'providerFailed', reason: providerFailure };
  if (setupFailure !== undefined) return { kind: 'setupFailed', reason: setupFailure };
  if (!isError || typeof missingAbility !== 'string') return undefined;
  const reason = `The tool ${JSON.stringify(toolName)} needs ${missingAbility} of its client, which the client of this run does not have.`;
  return { kind: 'setupFailed', reason };
}
