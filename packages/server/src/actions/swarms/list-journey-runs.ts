import { notFound } from '@proofmark/domain';
import { hasJourneyOrArchived, readJourneyRuns } from '../../storage/swarms/journey-runs.ts';
import { type Action, presentPage, refuse } from '../action.ts';
import { presentJourneyRun } from './present-journey-run.ts';

export const listJourneyRuns: Action<'listJourneyRuns'> = (context, { params, page }) =>
  context.tenant(async (sql) => {
    const { journeyId } = params;
    if (!(await hasJourneyOrArchived(sql, context.project.id, journeyId))) refuse(notFound);
    return presentPage(await readJourneyRuns(sql, journeyId, page), presentJourneyRun);
  });
