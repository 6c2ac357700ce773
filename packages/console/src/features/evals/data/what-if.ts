import type { BodyInputOf, EvalRun, OutputOf } from '@proofmark/contract';
import { countForWhatIf, type SurfaceOverlay, seedOfWhatIf, whatIf } from '@proofmark/domain';
import { useQuery } from '@tanstack/react-query';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';

type LaunchBody = BodyInputOf<'createEvalRun'>;

export interface LaunchedWhatIf {
  readonly runId: string;
  readonly baseRunId: string;
  readonly warnings: OutputOf<'createEvalRun'>['warnings'];
}

/**
 * Launches the run with the overlay first, because the service may reject the overlay. If the
 * second launch is rejected, the first run is cancelled.
 */
export function useLaunchWhatIf(projectId: string) {
  return useSeveral(
    async (request: {
      readonly body: LaunchBody;
      readonly overlay: SurfaceOverlay;
      /** The existing run to compare with. If undefined, a run without the overlay is launched. */
      readonly base: Pick<EvalRun, 'id' | 'seed'> | undefined;
    }): Promise<LaunchedWhatIf> => {
      const { overlay, base: known } = request;
      const seed = known === undefined ? seedOfWhatIf(Math.random()) : known.seed;
      const body = { ...request.body, ...(seed !== undefined && { seed }) };
      const { runId, warnings } = await client.createEvalRun({
        projectId,
        body: { ...body, overlay },
      });
      if (known !== undefined) return { runId, baseRunId: known.id, warnings };
      try {
        const base = await client.createEvalRun({ projectId, body });
        return { runId, baseRunId: base.runId, warnings };
      } catch (error) {
        await client.cancelEvalRun({ projectId, runId });
        throw error;
      }
    },
    [allBelow('listEvalSuites', { projectId })],
  );
}

/** Returns the comparison and its counts once both runs have ended. */
export function useWhatIf(projectId: string, baseRunId: string, runId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [...allBelow('getEvalRun', { projectId, runId }), 'what-if', baseRunId],
    queryFn: async ({ signal }) => {
      const [base, overlaid] = await Promise.all(
        [baseRunId, runId].map((id) =>
          client.getEvalRunStages({ projectId, runId: id }, { signal }),
        ),
      );
      const counts = {
        base: countForWhatIf(base?.cases ?? []),
        overlay: countForWhatIf(overlaid?.cases ?? []),
      };
      return { result: whatIf(counts.base, counts.overlay), counts };
    },
    enabled: isWanted,
  });
}
