/**
 * A page of traces. They are read one by one, so that no more than one is in memory beside the page, and the page ends
 * where its own size or the size of what was read for it says so. The same cursor gives the same bytes again.
 */
import { version } from '@proofmark/contract';
import {
  exportTrial,
  notFound,
  type OtlpSpan,
  otlpDocument,
  type PagePosition,
  type PageRequest,
  projectTier,
} from '@proofmark/domain';
import { sha256Hex } from '../../hashing/sha256-hex.ts';
import { findProject } from '../../storage/accounts/projects.ts';
import type { Sql } from '../../storage/database/database.ts';
import {
  type EndOfTrial,
  readEndedTrials,
  readTrialToExport,
} from '../../storage/eval-runs/ended-trials.ts';
import { type Action, refuse } from '../action.ts';
import { PreparedJson } from '../answer-cache.ts';

const maxPageBytes = 4 * 1024 * 1024;
/** Of stored traces, however little of them is exported. */
const maxReadCharacters = 32 * 1024 * 1024;

export const exportTracesOtlp: Action<'exportTracesOtlp'> = async (
  context,
  { query, page, cursorFor },
) => {
  const { projectId, sourceTypes = 'eval,swarm', includeContent } = query;
  const found = await context.tenant(async (sql) => {
    const project = await findProject(sql, context.caller.account.id, projectId);
    if (project === undefined || projectTier(project) === undefined) return refuse(notFound);
    return sourceTypes.split(',').includes('eval')
      ? readPage(sql, projectId, page, includeContent === 'true')
      : { spans: [], isComplete: true };
  });
  const text = JSON.stringify(otlpDocument(found.spans, { projectId, version }));
  return new PreparedJson(text, {
    'Proofmark-Next-Cursor': cursorFor(found.last ?? page.after ?? beforeAll),
    'Proofmark-Export-Complete': String(found.isComplete),
  });
};

/** Leads to the first trace of all. */
const beforeAll: PagePosition = { order: 0, id: '' };

async function readPage(
  sql: Sql,
  projectId: string,
  page: PageRequest,
  includeContent: boolean,
): Promise<{ spans: OtlpSpan[]; last?: PagePosition; isComplete: boolean }> {
  const listed = await readEndedTrials(sql, projectId, page);
  const spans: OtlpSpan[] = [];
  let last: EndOfTrial | undefined;
  let pageBytes = 0;
  let readCharacters = 0;
  for (const ended of listed.slice(0, page.limit)) {
    if (readCharacters > maxReadCharacters) break;
    const read = await readTrialToExport(sql, ended);
    const exported = read && exportTrial(read.trial, { includeContent, sha256Hex });
    const bytes = exported === undefined ? 0 : Buffer.byteLength(JSON.stringify(exported));
    // One that is larger than a page is a page of its own.
    if (spans.length > 0 && pageBytes + bytes > maxPageBytes) break;
    for (const span of exported ?? []) spans.push(span);
    pageBytes += bytes;
    readCharacters += read?.size ?? 0;
    last = ended;
  }
  const isComplete = last === undefined || last === listed.at(-1);
  return { spans, ...(last && { last: positionOf(last) }), isComplete };
}

function positionOf({ endedAt, id }: EndOfTrial): PagePosition {
  return { order: endedAt.getTime(), id };
}
