/**
 * Exports a page of traces. Traces are read one by one, so that memory contains only the page and
 * one trace. The same cursor always returns the same bytes.
 */
import { version } from '@proofmark/contract';
import { notFound, type PagePosition, type PageRequest, projectTier } from '@proofmark/domain';
import {
  exportSession,
  exportTrial,
  exportVisit,
  type OtlpSpan,
  otlpDocument,
} from '@proofmark/report';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { findProject } from '../../../platform/accounts/store/projects.ts';
import { completeUntil } from '../../../platform/database/complete-until.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { PreparedJson } from '../../../platform/operations/answer-cache.ts';
import { readEndedTrials, readTrialToExport } from '../../evals/index.ts';
import { readEndedSessions, readGradedBefore, readSessionToExport } from '../../swarms/index.ts';
import {
  readEndedVisits,
  readOutcomesBefore,
  readVisitToExport,
} from '../../user-testing/index.ts';

const maxPageBytes = 4 * 1024 * 1024;
/**
 * The limit of stored trace data that is read for one page, in characters, even if little of it is
 * exported.
 */
const maxReadCharacters = 32 * 1024 * 1024;

export const exportTracesOtlp: Action<'exportTracesOtlp'> = async (
  context,
  { query, page, cursorFor },
) => {
  const { projectId, sourceTypes = 'eval,swarm', includeContent } = query;
  const found = await context.tenant(async (sql) => {
    const project = await findProject(sql, context.caller.account.id, projectId);
    if (project === undefined || projectTier(project) === undefined) return refuse(notFound);
    const listed = await listEnded(sql, projectId, sourceTypes.split(','), page);
    return readPage(listed, page.limit, includeContent === 'true');
  });
  const text = JSON.stringify(otlpDocument(found.spans, { projectId, version }));
  return new PreparedJson(text, {
    'Proofmark-Next-Cursor': cursorFor(found.last ?? page.after ?? beforeAll),
    'Proofmark-Export-Complete': String(found.isComplete),
  });
};

const beforeAll: PagePosition = { order: 0, id: '' };

interface Ended {
  readonly id: string;
  readonly endedAt: Date;
  read(
    options: Options,
  ): Promise<{ readonly spans: OtlpSpan[]; readonly size: number } | undefined>;
}
type Options = Parameters<typeof exportTrial>[1];

/**
 * Lists the ended trials and sessions of the requested sources in one order, up to one more than
 * the limit.
 */
async function listEnded(
  sql: Sql,
  projectId: string,
  sources: readonly string[],
  page: PageRequest,
): Promise<Ended[]> {
  const settled = await completeUntil(sql);
  const hasSwarms = sources.includes('swarm');
  const hasVisits = sources.includes('scenario');
  const graded = hasSwarms ? await readGradedBefore(sql, projectId, settled) : settled;
  const before = hasVisits ? await readOutcomesBefore(sql, projectId, graded) : graded;
  const trials = sources.includes('eval')
    ? await readEndedTrials(sql, projectId, page, before)
    : [];
  const sessions = hasSwarms ? await readEndedSessions(sql, projectId, page, before) : [];
  const visits = hasVisits ? await readEndedVisits(sql, projectId, page, before) : [];
  return [
    ...trials.map(
      (ended): Ended => ({
        ...ended,
        async read(options) {
          const found = await readTrialToExport(sql, ended);
          return found && { spans: exportTrial(found.trial, options), size: found.size };
        },
      }),
    ),
    ...sessions.map(
      (ended): Ended => ({
        ...ended,
        async read(options) {
          const found = await readSessionToExport(sql, ended);
          return found && { spans: exportSession(found.session, options), size: found.size };
        },
      }),
    ),
    ...visits.map(
      (ended): Ended => ({
        ...ended,
        async read(options) {
          const found = await readVisitToExport(sql, ended);
          return found && { spans: exportVisit(found.visit, options), size: found.size };
        },
      }),
    ),
  ]
    .sort(inOrder)
    .slice(0, page.limit + 1);
}

/** Orders by end time, then by id. Ids are compared byte by byte, as in the database. */
function inOrder(one: Ended, other: Ended): number {
  const difference = one.endedAt.getTime() - other.endedAt.getTime();
  return difference === 0 ? (one.id < other.id ? -1 : 1) : difference;
}

async function readPage(
  listed: readonly Ended[],
  limit: number,
  includeContent: boolean,
): Promise<{ spans: OtlpSpan[]; last?: PagePosition; isComplete: boolean }> {
  const spans: OtlpSpan[] = [];
  let last: Ended | undefined;
  let pageBytes = 0;
  let readCharacters = 0;
  for (const ended of listed.slice(0, limit)) {
    if (readCharacters > maxReadCharacters) break;
    const read = await ended.read({ includeContent, sha256Hex });
    const bytes = read === undefined ? 0 : Buffer.byteLength(JSON.stringify(read.spans));
    // A trace that is larger than the page limit is exported alone on its page.
    if (spans.length > 0 && pageBytes + bytes > maxPageBytes) break;
    for (const span of read?.spans ?? []) spans.push(span);
    pageBytes += bytes;
    readCharacters += read?.size ?? 0;
    last = ended;
  }
  const isComplete = last === undefined || last === listed.at(-1);
  return { spans, ...(last && { last: positionOf(last) }), isComplete };
}

function positionOf({ endedAt, id }: Ended): PagePosition {
  return { order: endedAt.getTime(), id };
}
