import type { OutputOf } from '@proofmark/contract';
import { isTerminalWave, miningOfWave, type RunGrades } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { readGradesOfRuns } from '../store/run-grades.ts';
import { type DetailsOfRun, readDetailsOfRuns } from '../store/wave-runs.ts';
import { findMinedResult, isWaveToBeMined, type RunOfWave } from '../store/waves.ts';
import { findWave } from './find-wave.ts';
import { presentRunVerdict } from './present-run-verdict.ts';

export const getWave: Action<'getWave'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { waveId } = params;
    const projectId = context.project.id;
    const wave = { projectId, waveId };
    const runs = await findWave(sql, projectId, waveId);
    const isTerminal = isTerminalWave(runs);
    // Mining a wave stores the result before it removes its leased work. So the work is read first:
    // otherwise the wave could appear to have neither work nor result.
    const hasOpenWork = await isWaveToBeMined(sql, wave);
    const result = await findMinedResult(sql, wave);
    const mined = result !== undefined;
    const details = await readDetailsOfRuns(sql, wave);
    const grades = await readGradesOfRuns(
      sql,
      runs.map(({ id }) => id),
    );
    return {
      waveId,
      projectId,
      terminal: isTerminal,
      mined,
      mining: miningOfWave({
        isTerminal,
        hasOpenWork,
        hasResult: mined,
        isGivenUp: result?.isGivenUp === true,
      }),
      runs: runs.flatMap((run) => {
        const of = details.get(run.id);
        return of === undefined ? [] : [presentRun(run, of, grades.get(run.id)?.grades)];
      }),
      sessionsGraded: runs.reduce((sum, { sessionsGraded }) => sum + sessionsGraded, 0),
    };
  });

function presentRun(
  run: RunOfWave,
  details: DetailsOfRun,
  grades: RunGrades | undefined,
): OutputOf<'getWave'>['runs'][number] {
  const { id, journeyId, status, canceled, stale, total, succeeded, failed, rateLimited } = run;
  const { error, rubric, personaName, personaModel, judgeModel, targets } = details;
  return {
    id,
    journeyId,
    status,
    ...(error !== null && { error }),
    canceled,
    stale,
    summary: { total, succeeded, failed, rateLimited },
    ...presentRunVerdict({ status, error }, grades),
    persona: { name: personaName },
    personaModel,
    judgeModel,
    targets: targets.map((target) => ({ ...target })),
    criteria: rubric.map(({ id: criterionId, label, predicate }) => ({
      id: criterionId,
      label,
      kind: predicate.type,
    })),
  };
}
