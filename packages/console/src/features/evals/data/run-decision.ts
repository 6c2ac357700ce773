/** What people do about the decision of a run: waive its gate, take that back, and save it as a file. */
import { readPages } from '@proofmark/client';
import type { EvalRun } from '@proofmark/contract';
import type { DecisionFormat } from '@proofmark/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import type { RunIds } from './eval-runs.ts';
import { isExplainedByTools, runSurfaceQuery } from './surfaces.ts';

const trialsOfPage = 200;
/** As many as the command reads. */
const mostPages = 50;

/** The whole decision as a file. Who writes it is loaded when it is asked for. */
export function useRunFile(ids: RunIds, run: EvalRun, suiteName: string | undefined) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (format: DecisionFormat) => {
      const read = (result: 'passed' | 'notPassed') =>
        readPages(
          (page) => client.listEvalRunIterations({ ...ids, limit: trialsOfPage, result, ...page }),
          mostPages,
        );
      const [writer, { items, isAll }, passed, surface] = await Promise.all([
        import('../runs/write-decision.ts'),
        read('notPassed'),
        format === 'junit' ? read('passed') : undefined,
        isExplainedByTools(run) ? cache.fetchQuery(runSurfaceQuery(ids, run)) : null,
      ]);
      return writer.writeDecisionFile(
        format,
        run,
        { items, isAll },
        { suiteName, surface: surface ?? undefined, passed: passed?.items },
      );
    },
  });
}
