/**
 * Drafts cases from the tools of servers and stores them. With an idempotency key, all drafts are
 * stored before the first case, and each case is written together with its own key. So a repeated
 * request completes an interrupted one: the same cases, none twice, and no second charge.
 */

import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  allowWritesWithDrafts,
  type CaseMix,
  canonicalJson,
  caseOfDraft,
  type DraftedCase,
  type DraftOptions,
  type DraftTool,
  draftableTools,
  draftCases,
  identifyAuthoredCase,
  type LeftOutTool,
  type ModelChoice,
  maxDistinctCases,
  missingDrafts,
  readDraftAnswer,
  resolveMix,
  Semaphore,
  writeDraftRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { KeyedRequest } from '../../../../platform/database/idempotent-answers.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findKept, keepFirst } from '../../../../platform/operations/keyed-answers.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import { brake } from '../../../../platform/spending/brake.ts';
import { charge, rejectWhenUsedUp } from '../../../../platform/spending/count-daily-use.ts';
import { askDrafter, type Drafted, refuseUncoveredDrafts } from '../../../models/index.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import {
  type AuthoredCase,
  insertCases,
  listAllCases,
  readCase,
  readTakenCases,
} from '../../store/eval-cases.ts';
import { storeSuite } from '../../store/eval-suites.ts';
import { findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { readCaseItem } from './read-case-item.ts';
import { listToolsToDraft, selectServers } from './tools-to-draft.ts';

type Result = OutputOf<'generateEvalCases'>;
type Request = Omit<BodyOf<'generateEvalCases'>, 'idempotencyKey'>;

interface Generation {
  readonly suiteId: string;
  readonly request: Request;
  readonly mix: CaseMix;
  /**
   * Returns the idempotency key under which a part of the generation is stored; undefined if the
   * caller sent no key.
   */
  keyOf(part: string): KeyedRequest | undefined;
}

interface KeptDrafts {
  readonly generationModel: string;
  readonly drafts: readonly DraftedCase[];
  /** Absent in drafts of earlier versions. */
  readonly leftOut?: readonly LeftOutTool[];
}

export const generateEvalCases: Action<'generateEvalCases', EvalsParts> = async (
  context,
  { params, body, idempotencyKey },
) => {
  const { idempotencyKey: keyInBody, ...request } = body;
  const key = idempotencyKey ?? keyInBody;
  const resolved = resolveMix(request.mode, request.caseMix);
  if ('refusal' in resolved) return refuse(resolved.refusal);
  const { suiteId } = params;
  const { organizationId } = context.project;
  const requestHash = sha256Hex(canonicalJson(request));
  const generation: Generation = {
    suiteId,
    request,
    mix: resolved.mix,
    keyOf: (part) =>
      key === undefined
        ? undefined
        : {
            organizationId,
            requestHash,
            operation: `generateEvalCases ${part}`,
            key: sha256Hex(canonicalJson([suiteId, key])),
          },
  };
  if (key === undefined) return generate(context, generation);
  // Requests with the same key run one after another, so that the second one finds the result of
  // the first.
  const line = JSON.stringify([organizationId, suiteId, key]);
  return oneAtATime.run(line, () => generate(context, generation), { signal: context.signal });
};

const oneAtATime = new Semaphore(1);

async function generate(context: EvalsProject, generation: Generation): Promise<Result> {
  const before = await context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, generation.suiteId);
    const answer = await findKept<Result>(sql, generation.keyOf('answer'));
    if (answer !== undefined) return { answer };
    const kept = await findKept<KeptDrafts>(sql, generation.keyOf('drafts'));
    if (kept !== undefined) return { kept };
    return { selection: await selectServers(sql, context.project.id, generation.request, suite) };
  });
  if (before.answer !== undefined) return before.answer;
  const drafted = before.kept ?? (await draftAndKeep(context, generation, before.selection));
  const { generationModel, drafts, leftOut = [] } = drafted;
  const allowWrites = await statePolicy(context, generation);
  const created: Result['created'] = [];
  const skipped: Result['skipped'] = missingDrafts(generation.request.caseMix, drafted);
  for (const [index, draft] of drafts.entries()) {
    const stored = await storeDraft(context, generation, draft, index);
    if ('error' in stored) skipped.push({ title: draft.title, error: stored.error });
    else if (stored.made !== undefined) created.push(presentCase(stored.made));
  }
  const negative = created.filter(({ isNegative }) => isNegative).length;
  const counts = { normal: created.length - negative, negative };
  const result = {
    generationModel,
    created,
    counts,
    skipped,
    mix: generation.mix,
    allowWrites: [...allowWrites],
    leftOut: [...leftOut],
  };
  return context.tenant((sql) => keepFirst(sql, generation.keyOf('answer'), result));
}

/** The credits for the drafts are charged in the transaction that stores the drafts. */
async function draftAndKeep(
  context: EvalsProject,
  generation: Generation,
  selection: Awaited<ReturnType<typeof selectServers>>,
): Promise<KeptDrafts> {
  await brake(context, 'generation');
  await context.tenant((sql) => rejectWhenUsedUp(context, sql, 'generationsPerDay'));
  await refuseUncoveredDrafts(context);
  const tools = await listToolsToDraft(context, selection);
  const { mix, request } = generation;
  const drafted = await draftCasesFor(context, tools, {
    mix,
    varyUserStyles: request.varyUserStyles,
  });
  const { generationModel, drafts } = drafted;
  const leftOut = draftableTools(tools).leftOut.slice(0, mostLeftOut);
  try {
    return await context.tenant(async (sql) => {
      const earlier = await findKept<KeptDrafts>(sql, generation.keyOf('drafts'));
      await drafted.settle(sql);
      if (earlier !== undefined) return earlier;
      await charge(context, sql, 'generationsPerDay');
      return keepFirst(sql, generation.keyOf('drafts'), { generationModel, drafts, leftOut });
    });
  } catch (error) {
    await context.tenant((sql) => drafted.settle(sql));
    throw error;
  }
}

const mostLeftOut = 100;

/**
 * Writes the call policy (`allowWrites`) before the first case is stored, so that no run calls a
 * tool that the author did not allow.
 */
function statePolicy(context: EvalsProject, { suiteId }: Generation): Promise<readonly string[]> {
  return context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, suiteId, 'forNoKeyUpdate');
    const { definition } = suite;
    const { settings } = definition;
    const cases = settings.allowWrites === undefined ? await listAllCases(sql, suiteId) : [];
    const allowWrites = allowWritesWithDrafts(
      settings,
      cases.map((one) => one.definition),
    );
    if (settings.allowWrites !== undefined || suite.isUnreadable) return allowWrites;
    const stated = { ...settings, allowWrites: [...allowWrites] };
    await storeSuite(sql, { ...suite, definition: { ...definition, settings: stated } });
    const details = { fields: ['settings.allowWrites'] };
    await recordAudit(sql, context, { action: 'evalSuite.updated', subjectId: suiteId, details });
    return allowWrites;
  });
}

type StoredDraft =
  | { readonly error: string }
  /** Undefined if an earlier request stored the case and it has been deleted since. */
  | { readonly made: AuthoredCase | undefined };

function storeDraft(
  context: EvalsProject,
  generation: Generation,
  draft: DraftedCase,
  index: number,
): Promise<StoredDraft> {
  return context.tenant(async (sql) => {
    const { project } = context;
    const suite = await findSuite(sql, project.id, generation.suiteId, 'forNoKeyUpdate');
    const key = generation.keyOf(`case ${index}`);
    const earlier = await findKept<string>(sql, key);
    if (earlier !== undefined) return { made: await readCase(sql, suite.id, earlier) };
    const item = readCaseItem(caseOfDraft(draft, modelsOf(generation)), index);
    if ('problem' in item) return { error: item.problem.message };
    const { count, contentHashes } = await readTakenCases(sql, suite.id);
    if (contentHashes.has(identifyAuthoredCase(item.definition, sha256Hex).contentHash))
      return {
        error: 'The suite already has a case with the same content, so this draft was not added.',
      };
    if (count >= maxDistinctCases)
      return {
        error: `A suite has at most ${maxDistinctCases} cases, so this draft was not added; delete a case first, or draft cases for another suite.`,
      };
    const [id = ''] = await insertCases(
      sql,
      { organizationId: project.organizationId, suiteId: suite.id },
      [{ id: context.newId('evalCase'), definition: item.definition }],
    );
    await keepFirst(sql, key, id);
    const details = { suiteId: suite.id };
    await recordAudit(sql, context, { action: 'evalCase.created', subjectId: id, details });
    return { made: await readCase(sql, suite.id, id) };
  });
}

function modelsOf({ request }: Generation): readonly ModelChoice[] {
  return request.caseModels ?? [];
}

function draftCasesFor(
  context: EvalsProject,
  tools: readonly DraftTool[],
  options: DraftOptions,
): Promise<Drafted<DraftedCase>> {
  return askDrafter(context, {
    what: 'cases',
    byRules: () => draftCases(tools, options),
    request: () => writeDraftRequest(tools, options),
    read: (text) => readDraftAnswer(text, tools, options),
  });
}
