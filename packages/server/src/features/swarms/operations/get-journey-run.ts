import type { Action } from '../../../platform/operations/action.ts';
import { type EvalsParts, readSpendingOfRun } from '../../evals/index.ts';
import { listAttempts } from '../store/journey-runs.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { readGradesOfRuns } from '../store/run-grades.ts';
import { tallyRefusedInSessions } from '../store/swarm-sessions.ts';
import { findJourneyRun } from './find-journey-run.ts';
import { presentWholeJourneyRun } from './present-journey-run.ts';
import { presentWaveEnvelope } from './present-wave-envelope.ts';

export const getJourneyRun: Action<'getJourneyRun', EvalsParts> = (context, { params }) =>
  context.tenant(async (sql) => {
    const run = await findJourneyRun(sql, context.project.id, params.runId);
    const [grades, attempts, snapshot, spending, refused, insights] = await Promise.all([
      readGradesOfRuns(sql, [run.id]),
      listAttempts(sql, run.id),
      findJourneySnapshot(sql, run.id),
      readSpendingOfRun(sql, run.id, ['host_step', 'persona_turn', 'judge']),
      tallyRefusedInSessions(sql, run.id),
      presentWaveEnvelope(sql, { ...run, runId: run.id }, context.partModels),
    ]);
    const shown = presentWholeJourneyRun(run, grades.get(run.id), attempts, snapshot, spending);
    return { ...shown, ...(refused.length > 0 && { refusedCalls: refused }), ...insights };
  });
