import { notFound, scorecardOf } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { listCountedSessions } from '../store/graded-sessions.ts';
import { readJourneyRun } from '../store/journey-runs.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';

export const getJourneyRunScorecard: Action<'getJourneyRunScorecard'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { runId } = params;
    const run = await readJourneyRun(sql, context.project.id, runId);
    if (run === undefined) return refuse(notFound);
    if (!run.hasRubric) return refuse(noRubric);
    const snapshot = await findJourneySnapshot(sql, runId);
    const card = scorecardOf(snapshot?.rubric ?? [], await listCountedSessions(sql, runId));
    const criteria = card.criteria.map((one) => ({ ...one, failReasons: [...one.failReasons] }));
    return { runId, ...card, criteria };
  });

const noRubric = {
  code: 'NOT_FOUND',
  message: 'The run has no checks, so there is nothing to count.',
  details: { reason: 'NO_RUBRIC' },
} as const;
