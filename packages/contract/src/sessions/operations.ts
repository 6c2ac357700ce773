import { defineOperation } from '../operation.ts';
import { SessionQuery, SessionSummaryPage } from './shapes.ts';

export const listSessions = defineOperation({
  operationId: 'listSessions',
  surface: 'api',
  method: 'GET',
  path: '/projects/{projectId}/sessions',
  tag: 'Sessions',
  summary: 'List the sessions of a project',
  description:
    'Conversations, trials and sessions of journeys in one list, the latest activity first; with q, the best match first. Trials are included if they have a trace, and reported trials if their trace has messages. Private conversations of others are never listed. A page may end early if transcripts are long; a cursor is valid only for its own search.',
  access: 'member',
  query: SessionQuery,
  page: { defaultLimit: 50, cursorParameter: 'cursor', inside: true },
  slow: true,
  status: 200,
  output: SessionSummaryPage,
});
