import { listSwarmSessions } from '../../storage/swarms/swarm-sessions.ts';
import { type Action, presentPage } from '../action.ts';
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
