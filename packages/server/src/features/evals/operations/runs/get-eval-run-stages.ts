import {
  caseIdPattern,
  furthestTrial,
  mostStageMapRows,
  outcomeCounts,
  stageCells,
} from '@proofmark/domain';
import type { Action } from '../../../../platform/operations/action.ts';
import { countStages, readChainsAt } from '../../store/stage-counts.ts';
import { findRun } from './find-run.ts';

export const getEvalRunStages: Action<'getEvalRunStages'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findRun(sql, context.project.id, params.runId);
    const { outcomes, variants } = await countStages(sql, run.id, mostStageMapRows);
    const furthest = variants.map(({ groups }) => furthestTrial(groups));
    const places = furthest.filter((place) => place !== undefined);
    const chains = await readChainsAt(sql, run.id, places);
    return {
      runId: run.id,
      unit: 'caseVariant' as const,
      total: outcomes.failed + outcomes.notGraded + outcomes.toCome + outcomes.passed,
      outcomes,
      cases: variants.map((variant, index) => {
        const { caseId, declaredCaseId, title, model, provider, groups } = variant;
        const { passed, failed, notGraded, toCome } = outcomeCounts(groups);
        return {
          ...(declaredCaseId !== null &&
            caseIdPattern.test(declaredCaseId) && { caseId: declaredCaseId }),
          testCaseId: caseId,
          title,
          model,
          provider,
          trials: passed + failed + notGraded + toCome,
          passed,
          failed,
          notGraded,
          stages: stageCells(groups, chains.get(furthest[index] ?? -1)),
        };
      }),
    };
  });
