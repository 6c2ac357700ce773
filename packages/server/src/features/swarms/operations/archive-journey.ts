import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { markJourneyArchived } from '../store/journeys.ts';
import { findJourney } from './find-journey.ts';

export const archiveJourney: Action<'archiveJourney'> = async (context, { params }) => {
  const { id: projectId } = context.project;
  const { journeyId: id } = params;
  await context.tenant(async (sql) => {
    await findJourney(sql, projectId, id, 'forNoKeyUpdate');
    await markJourneyArchived(sql, id);
    await recordAudit(sql, context, { action: 'journey.archived', subjectId: id });
  });
  return { id, projectId, archived: true };
};
