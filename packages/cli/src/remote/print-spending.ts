import {
  estimateWords,
  type ReplayTermsOfRun,
  type RunSpending,
  replayToEstimate,
  spendingWords,
} from '@proofmark/domain';
import type { Connection } from './connection.ts';
import { printUncapitalized } from './notice.ts';

export interface LaunchToEstimate {
  readonly suiteId: string;
  readonly environmentId?: string | undefined;
  readonly iterations?: number | undefined;
  readonly maxCredits?: number | undefined;
  readonly keyedProviders: readonly string[];
  readonly model?: string | undefined;
  readonly replay?: ReplayTermsOfRun | undefined;
}

/**
 * Prints nothing if the service returns no estimate. The service may be older, or the launch will
 * fail and report the reason.
 */
export async function printEstimate(
  { client, projectId }: Connection,
  launch: LaunchToEstimate,
): Promise<void> {
  const { suiteId, environmentId, iterations, maxCredits, keyedProviders, model } = launch;
  const asked = client.estimateEvalRun({
    projectId,
    suiteId,
    ...(environmentId !== undefined && { environmentId }),
    ...(iterations !== undefined && { iterationOverride: String(iterations) }),
    ...(model !== undefined && { model }),
    ...replayToEstimate(launch.replay),
    ...(keyedProviders.length > 0 && { keyedProviders: keyedProviders.join() }),
  });
  const estimate = await asked.catch(() => undefined);
  const sentences = estimate === undefined ? [] : estimateWords(estimate, maxCredits);
  for (const sentence of sentences) printUncapitalized(sentence);
}

export function printSpending(spending: RunSpending | undefined): void {
  if (spending !== undefined) printUncapitalized(`used ${spendingWords(spending)}.`);
}
