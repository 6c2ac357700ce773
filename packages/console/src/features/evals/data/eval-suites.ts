import type { BodyInputOf } from '@proofmark/contract';
import { type ReplayTermsOfRun, replayToEstimate } from '@proofmark/domain';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { isStale } from '../../../kit/data/is-stale.ts';
import { useChange, useOperation, useSeveral, useWholeList } from '../../../kit/data/operations.ts';
import type { SuiteEdit } from '../suites/suite-draft.ts';

export interface SuiteIds {
  readonly projectId: string;
  readonly suiteId: string;
}

/** Null if the list of suites does not contain the suite. */
export function useEvalSuite({ projectId, suiteId }: SuiteIds) {
  const suites = useWholeList('listEvalSuites', { projectId });
  const found = suites.data?.find(({ id }) => id === suiteId);
  return { ...suites, data: suites.data === undefined ? undefined : (found ?? null) };
}

/**
 * Saves a case only if it is unchanged since it was read. Otherwise nothing is saved, and the
 * version that another person saved is returned.
 */
export function useEditCase(ids: SuiteIds, caseId: string) {
  return useSeveral(
    async (body: BodyInputOf<'updateEvalCase'>) => {
      try {
        return { saved: await client.updateEvalCase({ ...ids, caseId, body }) };
      } catch (error) {
        if (!isStale(error)) throw error;
        return { theirs: await client.getEvalCase({ ...ids, caseId }) };
      }
    },
    [allBelow('getEvalSuite', ids)],
  );
}

/**
 * The estimate fails with the same error as the launch would. The user learns the reason before
 * launching.
 */
export function useRunEstimate(
  ids: SuiteIds,
  request: {
    environmentId?: string | undefined;
    iterationOverride?: number | undefined;
    model?: string | undefined;
    replay?: ReplayTermsOfRun | undefined;
  },
  enabled = true,
) {
  const { environmentId, iterationOverride: times, model } = request;
  const query = {
    ...(environmentId !== undefined && { environmentId }),
    ...(times !== undefined && { iterationOverride: String(times) }),
    ...(model !== undefined && { model }),
    ...replayToEstimate(request.replay),
  };
  return useOperation('estimateEvalRun', { ...ids, ...query }, { enabled });
}

export function useStartRun({ projectId, suiteId }: SuiteIds) {
  return useChange(
    'createEvalRun',
    (body: Omit<BodyInputOf<'createEvalRun'>, 'suiteId'>) => ({
      projectId,
      body: { ...body, suiteId },
    }),
    { readAgain: [allBelow('listEvalSuites', { projectId })] },
  );
}

/**
 * Saves a suite's settings and schedule by two requests. The second is sent only after the first
 * succeeded.
 */
export function useEditSuite(ids: SuiteIds) {
  return useSeveral(
    async ({ suite, schedule }: SuiteEdit) => {
      const warned = suite && (await client.updateEvalSuite({ ...ids, body: suite }));
      if (schedule !== undefined) {
        await client.updateEvalSuiteSchedule({ ...ids, body: schedule });
      }
      return warned?.warnings ?? [];
    },
    [allBelow('listEvalSuites', { projectId: ids.projectId })],
    { isPartly: true },
  );
}
