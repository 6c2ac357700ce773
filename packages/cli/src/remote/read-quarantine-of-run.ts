/**
 * Reads the quarantine of a run's suite and applies it to the run. Returns none if the suite was
 * deleted or the service is too old for quarantines.
 */
import { type ApiClient, ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { asksForModel, type DecisionSummary, gateQuarantine } from '@proofmark/domain';

export type ListedEntry = OutputOf<'listEvalQuarantine'>['items'][number];

interface ReadingQuarantine {
  readonly client: Pick<ApiClient, 'listEvalQuarantine' | 'listEvalRunIterations'>;
  readonly projectId: string;
}

export type QuarantineOfRun = ReturnType<typeof gateQuarantine<ListedEntry>>;

export async function readQuarantineOfRun(
  { client, projectId }: ReadingQuarantine,
  { id: runId, suiteId }: Pick<OutputOf<'getEvalRun'>, 'id' | 'suiteId'>,
  summary: DecisionSummary,
): Promise<QuarantineOfRun> {
  const { items: entries } = await client
    .listEvalQuarantine({ projectId, suiteId })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return { items: [] };
      throw error;
    });
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : undefined;
  const isFanned = cases?.some(({ executionVariant }) => executionVariant) ?? true;
  if (isFanned || !asksForModel(entries)) return gateQuarantine({ cases, entries });
  const query = { projectId, runId, limit: 200, result: 'notPassed' } as const;
  const { items: notPassed } = await client.listEvalRunIterations(query);
  return gateQuarantine({ cases, entries, notPassed });
}
