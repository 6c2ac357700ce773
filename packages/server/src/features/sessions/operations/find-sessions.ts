import {
  activityAt,
  isRecord,
  matchPreviewOf,
  type PageRequest,
  rankOfMatch,
  readConversation,
  type SessionPlace,
  sessionsAfter,
  visitorNameOf,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { spelledPart } from '../../../platform/database/search-traces.ts';
import {
  type ListedTrial,
  readNewestTrials,
  readTrialSession,
  readTrialsThatMaySay,
} from '../../evals/index.ts';
import {
  readChatSessionsOfProject,
  readChatsThatMaySay,
  readSaidInChat,
  type StoredChatSession,
} from '../../playground/index.ts';
import {
  type ListedSwarmSession,
  readNewestSwarmSessions,
  readSwarmSessionsThatMaySay,
  readSwarmTrace,
} from '../../swarms/index.ts';
import {
  type ListedVisit,
  readNewestVisits,
  readSaid,
  readVisitsThatMaySay,
} from '../../user-testing/index.ts';

export function titleOfSwarmSession(session: ListedSwarmSession): string {
  const { journeyName, personaLabel, sessionIndex } = session;
  return `${journeyName} · ${personaLabel} · ${sessionIndex + 1}`;
}

export function titleOfVisit({ scenarioName, displayName, visitorHash }: ListedVisit): string {
  return `${scenarioName} · ${visitorNameOf({ name: displayName, hash: visitorHash })}`;
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
  readonly visit?: ListedVisit;
  readonly matchPreview?: string;
}

/** The maximum number of titles that a search reads. */
const titlesSearched = 2000;
/** The maximum number of transcripts, and of their bytes, that a search reads per source. */
const transcriptsSearched = { traces: 200, bytes: 16 * 1024 * 1024 };

/**
 * Returns up to one session more than the limit, so that the caller knows whether there is a next
 * page.
 */
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
    const title = titleOf(session);
    const rank = rankOfMatch(title, words);
    const matchPreview = matchPreviewOf(title, words);
    return rank === 0 || matchPreview === undefined ? [] : [{ ...session, rank, matchPreview }];
  });
}

function titleOf({ chat, trial, swarm, visit }: FoundSession): string {
  if (swarm !== undefined) return titleOfSwarmSession(swarm);
  if (visit !== undefined) return titleOfVisit(visit);
  return chat?.title ?? trial?.title ?? '';
}

/** Searches the messages of sessions. Sessions with more matching messages rank higher. */
export async function searchTranscripts(sql: Sql, wanted: WantedSessions, words: string) {
  const { projectId } = wanted;
  const found: FoundSession[] = [];
  const take = (place: FoundSession, messages: readonly unknown[]) => {
    const hits = readConversation(messages).texts.flatMap(
      (text) => matchPreviewOf(text, words) ?? [],
    );
    const [matchPreview] = hits;
    if (matchPreview === undefined) return;
    found.push({ ...place, rank: Math.min(9, hits.length), matchPreview });
  };
  const { accountId, status, sources } = wanted;
  const chats = sources.includes('direct')
    ? await readChatsThatMaySay(
        sql,
        accountId,
        { projectId, status },
        spelledPart(words),
        transcriptsSearched,
      )
    : [];
  for (const chat of chats) take(chatPlace(chat), await readSaidInChat(sql, chat.id));
  const trials = showsTrials(wanted)
    ? await readTrialsThatMaySay(sql, projectId, words, transcriptsSearched)
    : [];
  for (const trial of trials) {
    take(trialPlace(trial), (await readTrialSession(sql, trial))?.messages ?? []);
  }
  const swarms = showsSwarms(wanted)
    ? await readSwarmSessionsThatMaySay(sql, projectId, words, transcriptsSearched)
    : [];
  for (const swarm of swarms) {
    const read = await readSwarmTrace(sql, projectId, swarm.runId, swarm.id);
    const messages = isRecord(read?.trace) ? read.trace['messages'] : undefined;
    take(swarmPlace(swarm), Array.isArray(messages) ? messages : []);
  }
  const visits = showsVisits(wanted)
    ? await readVisitsThatMaySay(sql, projectId, spelledPart(words), transcriptsSearched)
    : [];
  for (const visit of visits) take(visitPlace(visit), await readSaid(sql, visit.id));
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
  const swarms = showsSwarms(wanted) ? await readNewestSwarmSessions(sql, projectId, page) : [];
  const visits = showsVisits(wanted) ? await readNewestVisits(sql, projectId, page) : [];
  return [
    ...chats.map(chatPlace),
    ...trials.map(trialPlace),
    ...swarms.map(swarmPlace),
    ...visits.map(visitPlace),
  ];
}

/** A trial is never archived. */
function showsTrials({ sources, status }: WantedSessions): boolean {
  return sources.includes('eval') && status === 'active';
}

/** A session of a journey is never archived. */
function showsSwarms({ sources, status }: WantedSessions): boolean {
  return sources.includes('swarm') && status === 'active';
}

/** A session of a visitor is never archived. */
function showsVisits({ sources, status }: WantedSessions): boolean {
  return sources.includes('scenario') && status === 'active';
}

function chatPlace(chat: StoredChatSession): FoundSession {
  return { id: chat.id, lastActivityMs: chat.lastActivityAt.getTime(), rank: 0, chat };
}

function visitPlace(visit: ListedVisit): FoundSession {
  return { id: visit.id, lastActivityMs: visit.lastActivityAt.getTime(), rank: 0, visit };
}

function swarmPlace(swarm: ListedSwarmSession): FoundSession {
  return { id: swarm.id, lastActivityMs: swarm.lastActivityAt.getTime(), rank: 0, swarm };
}

function trialPlace(trial: ListedTrial): FoundSession {
  return { id: trial.id, lastActivityMs: trial.endedAt.getTime(), rank: 0, trial };
}
