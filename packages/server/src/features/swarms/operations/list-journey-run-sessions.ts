import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listSwarmSessions } from '../store/swarm-sessions.ts';
import { findJourneyRun } from './find-journey-run.ts';
import { presentJourneySession } from './present-journey-session.ts';

export const listJourneyRunSessions: Action<'listJourneyRunSessions'> = (
  context,
  { params, page },
) =>
  context.tenant(async (sql) => {
    const { id } = await findJourneyRun(sql, context.project.id, params.runId);
    return presentPage(await listSwarmSessions(sql, id, page), presentJourneySession);
  });
