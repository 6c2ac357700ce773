/** Which sessions a page may show, in their order: the newest, or those a search finds. Nothing is presented yet. */
import {
  activityAt,
  matchPreviewOf,
  type PageRequest,
  rankOfMatch,
  readConversation,
  type SessionPlace,
  sessionsAfter,
} from '@proofmark/domain';
import {
  readChatSessionsOfProject,
  type StoredChatSession,
} from '../../storage/accounts/chat-sessions.ts';
import type { Sql } from '../../storage/database/database.ts';
import {
  type ListedTrial,
  readNewestTrials,
  readTrialSession,
  readTrialsThatMaySay,
} from '../../storage/eval-runs/trial-sessions.ts';
import {
  type ListedSwarmSession,
  readNewestSwarmSessions,
} from '../../storage/swarms/listed-swarm-sessions.ts';

/** As a list of sessions calls it. */
export function titleOfSwarmSession(session: ListedSwarmSession): string {
  const { journeyName, personaLabel, sessionIndex } = session;
  return `${journeyName} · ${personaLabel} · ${sessionIndex + 1}`;
}

export interface WantedSessions {
  readonly accountId: string;
  readonly projectId: string;
  readonly status: StoredChatSession['status'];
  readonly sources: readonly string[];
}

export interface FoundSession extends SessionPlace {
  readonly chat?: StoredChatSession;
  readonly trial?: ListedTrial;
  readonly swarm?: ListedSwarmSession;
  readonly matchPreview?: string;
}

/** How much a search looks through, whatever a project holds. */
const titlesSearched = 2000;
const transcriptsSearched = { trials: 200, bytes: 16 * 1024 * 1024 };

/** One more than asked, if there are. */
export async function findNewest(
  sql: Sql,
  wanted: WantedSessions,
  { limit, after }: PageRequest,
): Promise<FoundSession[]> {
  const place = after && activityAt(after);
  const page = { limit: limit + 1, ...(place && { after: place }) };
  return sessionsAfter(await readNewest(sql, wanted, page), after).slice(0, limit + 1);
}

export async function searchTitles(sql: Sql, wanted: WantedSessions, words: string) {
  const newest = await readNewest(sql, wanted, { limit: titlesSearched });
  return newest.flatMap((session): FoundSession[] => {
    const { chat, trial, swarm } = session;
    const title = chat?.title ?? trial?.title ?? (swarm && titleOfSwarmSession(swarm)) ?? '';
    const rank = rankOfMatch(title, words);
    const matchPreview = matchPreviewOf(title, words);
    return rank === 0 || matchPreview === undefined ? [] : [{ ...session, rank, matchPreview }];
  });
}

/** Of conversations nothing is stored but their titles. The more messages say it, the better. */
export async function searchTranscripts(sql: Sql, wanted: WantedSessions, words: string) {
  if (!showsTrials(wanted)) return [];
  const found: FoundSession[] = [];
  const { projectId } = wanted;
  for (const trial of await readTrialsThatMaySay(sql, projectId, words, transcriptsSearched)) {
    const session = await readTrialSession(sql, trial);
    const { texts } = readConversation(session?.messages ?? []);
    const hits = texts.flatMap((text) => matchPreviewOf(text, words) ?? []);
    const [matchPreview] = hits;
    if (matchPreview === undefined) continue;
    found.push({ ...trialPlace(trial), rank: Math.min(9, hits.length), matchPreview });
  }
  return found;
}

async function readNewest(
  sql: Sql,
  wanted: WantedSessions,
  page: PageRequest,
): Promise<FoundSession[]> {
  const { accountId, projectId, status, sources } = wanted;
  const chats = sources.includes('direct')
    ? await readChatSessionsOfProject(sql, accountId, { projectId, status }, page)
    : [];
  const trials = showsTrials(wanted) ? await readNewestTrials(sql, projectId, page) : [];
  const showsSwarms = sources.includes('swarm') && status === 'active';
  const swarms = showsSwarms ? await readNewestSwarmSessions(sql, projectId, page) : [];
  return [
    ...chats.map((chat) => ({
      ...{ id: chat.id, lastActivityMs: chat.lastActivityAt.getTime(), rank: 0, chat },
    })),
    ...trials.map(trialPlace),
    ...swarms.map((swarm) => ({
      ...{ id: swarm.id, lastActivityMs: swarm.lastActivityAt.getTime(), rank: 0, swarm },
    })),
  ];
}

/** A trial is never archived. */
function showsTrials({ sources, status }: WantedSessions): boolean {
  return sources.includes('eval') && status === 'active';
}

function trialPlace(trial: ListedTrial): FoundSession {
  return { id: trial.id, lastActivityMs: trial.endedAt.getTime(), rank: 0, trial };
}
