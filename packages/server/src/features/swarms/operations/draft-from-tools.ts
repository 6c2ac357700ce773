import {
  type DraftTool,
  notFound,
  type Refusal,
  Refused,
  toolToDraft,
  visibleTools,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { brake } from '../../../platform/spending/brake.ts';
import { checkDailyUse, rejectWhenUsedUp } from '../../../platform/spending/count-daily-use.ts';
import {
  type EvalsProject,
  environmentContext,
  findNewestSurface,
  listToolsToDraft,
  type ServerSelection,
} from '../../evals/index.ts';
import { askDrafter, refuseUncoveredDrafts, type ToDraft } from '../../models/index.ts';
import { listNamedServers, readServerAttachment } from '../../servers/index.ts';

const longestMs = 180_000;

export async function draftFromTools<Draft>(
  context: EvalsProject,
  grounding: DraftSource,
  toDraft: (tools: readonly DraftTool[]) => ToDraft<Draft>,
): Promise<{ readonly generationModel: string; readonly drafts: readonly Draft[] }> {
  const { id: projectId } = context.project;
  const selection = await context.tenant((sql) => selectDraftSource(sql, projectId, grounding));
  await brake(context, 'generation');
  await refuseUncoveredDrafts(context);
  await context.tenant((sql) => rejectWhenUsedUp(context, sql, 'generationsPerDay'));
  const over = AbortSignal.timeout(longestMs);
  const bounded = { ...context, signal: AbortSignal.any([context.signal, over]) };
  try {
    const tools = await toolsForDrafts(bounded, selection);
    return await draftAndPay(bounded, toDraft(tools));
  } catch (error) {
    throw over.aborted && !context.signal.aborted ? new Refused(tookTooLong) : error;
  }
}

/**
 * Drafts that called a model cost credits and count towards the daily quota, even without a result.
 * Other drafts do not count.
 */
async function draftAndPay<Draft>(context: EvalsProject, toDraft: ToDraft<Draft>) {
  const { giveBack } = await checkDailyUse(context, 'generationsPerDay');
  let wasAsked = false;
  try {
    const { generationModel, drafts, settle } = await askDrafter(context, toDraft, () => {
      wasAsked = true;
    });
    await context.tenant(settle);
    return drafts.length === 0 ? refuse(nothingLeft) : { generationModel, drafts };
  } catch (error) {
    // The caller must get the first error, so an error from returning the quota is ignored.
    if (!wasAsked) await giveBack().catch(() => undefined);
    throw error;
  }
}

const nothingLeft: Refusal = {
  code: 'INTERNAL_ERROR',
  message:
    'Nothing could be drafted: the servers list only tools that are held for writing, or all drafts exist already.',
  details: { reason: 'NO_DRAFTS' },
};

const tookTooLong: Refusal = {
  code: 'TIMEOUT',
  message: 'Drafting took too long and was stopped; try again.',
};

interface DraftSource {
  readonly environmentId?: string | undefined;
  readonly serverAttachmentId?: string | undefined;
}

async function selectDraftSource(
  sql: Sql,
  projectId: string,
  { environmentId, serverAttachmentId = '' }: DraftSource,
): Promise<ServerSelection> {
  if (environmentId !== undefined) return environmentContext(sql, projectId, environmentId);
  const group = await readServerAttachment(sql, projectId, serverAttachmentId);
  if (group === undefined) return refuse(notFound);
  const servers = await listNamedServers(sql, projectId, group.serverIds);
  const missingId = group.serverIds.find((id) => !servers.some((server) => server.id === id));
  if (missingId !== undefined) {
    refuse({
      code: 'CONFLICT',
      message: 'A server of this group no longer exists; create another group.',
      details: { reason: 'SERVER_NOT_FOUND', missingId },
    });
  }
  return { servers, played: undefined };
}

/**
 * Uses the tools that were listed in the latest run over exactly these servers. Without such a run,
 * lists the tools now.
 */
async function toolsForDrafts(
  context: EvalsProject,
  selection: ServerSelection,
): Promise<DraftTool[]> {
  const { servers, played } = selection;
  const ids = servers.map(({ id }) => id);
  const stored = await context.tenant((sql) => findNewestSurface(sql, context.project.id, ids));
  if (stored === undefined) return listToolsToDraft(context, selection);
  return servers.flatMap(({ id, name }) =>
    visibleTools(played?.config ?? {}, stored.get(id) ?? []).map((tool) => toolToDraft(name, tool)),
  );
}
