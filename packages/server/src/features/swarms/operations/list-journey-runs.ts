import { notFound } from '@proofmark/domain';
import { type Action, presentPage, refuse } from '../../../platform/operations/action.ts';
import { hasJourneyOrArchived, readJourneyRuns } from '../store/journey-runs.ts';
import { readGradesOfRuns } from '../store/run-grades.ts';
import { presentJourneyRun } from './present-journey-run.ts';

export const listJourneyRuns: Action<'listJourneyRuns'> = (context, { params, page }) =>
  context.tenant(async (sql) => {
    const { journeyId } = params;
    if (!(await hasJourneyOrArchived(sql, context.project.id, journeyId))) refuse(notFound);
    const runs = await readJourneyRuns(sql, journeyId, page);
    const grades = await readGradesOfRuns(
      sql,
      runs.items.map(({ id }) => id),
    );
    return presentPage(runs, (run) => presentJourneyRun(run, grades.get(run.id)));
  });
