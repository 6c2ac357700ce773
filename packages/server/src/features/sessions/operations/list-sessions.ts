/**
 * Lists the sessions of a project. Transcripts are read one by one to fill the fields of a row. A
 * page ends once its read limit is reached, so it reads at most one transcript beyond that limit.
 */
import type { OutputOf } from '@proofmark/contract';
import {
  type PageRequest,
  positionOfSession,
  sessionSources,
  sessionsAfter,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { readTrialSession } from '../../evals/index.ts';
import {
  type FoundSession,
  findNewest,
  searchTitles,
  searchTranscripts,
  type WantedSessions,
} from './find-sessions.ts';
import {
  presentChat,
  presentListedVisit,
  presentSwarmSession,
  presentTrialSession,
  type Viewer,
} from './present-session.ts';

type Item = OutputOf<'listSessions'>['items'][number];

const maxReadCharacters = 16 * 1024 * 1024;

export const listSessions: Action<'listSessions'> = async (context, { query, page, cursorFor }) => {
  const { q, status, sourceType, scope = 'titles' } = query;
  const accountId = context.caller.account.id;
  const projectId = context.project.id;
  const sources = sourceType?.split(',') ?? sessionSources;
  return context.tenant(async (sql) => {
    const found = await find(sql, { accountId, projectId, status, sources }, page, q, scope);
    const viewer = { accountId, projectId, baseUrl: context.baseUrl };
    const { items, next } = await present(sql, found, page.limit, viewer);
    return {
      items,
      ...(next && { nextCursor: cursorFor(positionOfSession(next)) }),
      ...(q !== undefined && { scope }),
    };
  });
};

async function find(
  sql: Sql,
  wanted: WantedSessions,
  page: PageRequest,
  q: string | undefined,
  scope: 'titles' | 'transcripts',
): Promise<FoundSession[]> {
  if (q === undefined) return findNewest(sql, wanted, page);
  const words = q.trim();
  if (words === '') return [];
  const search = scope === 'titles' ? searchTitles : searchTranscripts;
  return sessionsAfter(await search(sql, wanted, words), page.after).slice(0, page.limit + 1);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case for each kind of session, within one bound on what is read.
async function present(
  sql: Sql,
  found: readonly FoundSession[],
  limit: number,
  viewer: Viewer,
): Promise<{ items: Item[]; next?: FoundSession }> {
  const items: Item[] = [];
  let readCharacters = 0;
  let last: FoundSession | undefined;
  for (const session of found.slice(0, limit)) {
    if (readCharacters > maxReadCharacters) break;
    last = session;
    const { chat, trial, swarm, visit, matchPreview } = session;
    const preview = matchPreview !== undefined && { matchPreview };
    if (chat !== undefined) items.push({ ...presentChat(chat, viewer), ...preview });
    if (swarm !== undefined) items.push({ ...presentSwarmSession(swarm, viewer), ...preview });
    if (visit !== undefined) items.push({ ...presentListedVisit(visit, viewer), ...preview });
    const read = trial && (await readTrialSession(sql, trial));
    if (trial === undefined || read === undefined) continue;
    readCharacters += read.size;
    items.push({ ...presentTrialSession(trial, read, viewer), ...preview });
  }
  return last === undefined || last === found.at(-1) ? { items } : { items, next: last };
}
