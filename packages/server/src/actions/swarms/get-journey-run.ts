import { readSpendingOfRun } from '../../storage/spending/spending-of-run.ts';
import { listAttempts } from '../../storage/swarms/journey-runs.ts';
import { findJourneySnapshot } from '../../storage/swarms/journey-snapshots.ts';
import { readGradesOfRuns } from '../../storage/swarms/run-grades.ts';
import { tallyRefusedInSessions } from '../../storage/swarms/swarm-sessions.ts';
import type { Action } from '../action.ts';
import { findJourneyRun } from './find-journey-run.ts';
import { presentWholeJourneyRun } from './present-journey-run.ts';
import { presentWaveEnvelope } from './present-wave-envelope.ts';

export const getJourneyRun: Action<'getJourneyRun'> = (context, { params }) =>
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
