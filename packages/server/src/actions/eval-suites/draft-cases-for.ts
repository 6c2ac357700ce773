/** Asks whoever drafts here: the drafter that is built in, or the model of the operator, whose answer is checked. */
import { randomUUID } from 'node:crypto';
import {
  type DraftedCase,
  type DraftTool,
  type DraftWish,
  draftCases,
  drafterId,
  freePrice,
  readDraftAnswer,
  type StepUsage,
  writeDraftRequest,
} from '@proofmark/domain';
import type { ModelRequest, ModelUsage } from '../../model/model-gateway.ts';
import type { Sql } from '../../storage/database/database.ts';
import { type ProjectContext, refuse } from '../action.ts';
import { hostedPart } from '../models/hosted-part.ts';
import { orModelRefusal } from '../models/or-model-refusal.ts';
import { withOperatorsModels } from '../models/with-operators-models.ts';
import { beginPaidStep, type PaidStep } from '../spending/paid-step.ts';
import { priceOfModel } from '../spending/paying-models.ts';
import { refuseWithoutCredits } from '../spending/refuse-without-credits.ts';
import { usageOfFailure } from '../spending/usage-of-call.ts';

interface Drafted {
  readonly generationModel: string;
  readonly drafts: readonly DraftedCase[];
  /** Pays for what was asked, in the transaction that keeps the drafts; doing so twice pays once. */
  settle(sql: Sql): Promise<void>;
}

/** Before servers are asked: what credits cannot cover or count is not begun. The built-in drafter costs nothing. */
export async function refuseUncoveredDrafts(sql: Sql, context: ProjectContext): Promise<void> {
  const { models, partModels, project, spending } = context;
  const { generation } = partModels;
  if (generation === drafterId) return;
  const model = hostedPart(models, 'generationModel', generation);
  const unpriced = priceOfModel(models, model) === undefined ? [generation] : [];
  const { creditsPerDay } = spending.limits;
  await refuseWithoutCredits(sql, project.organizationId, creditsPerDay, unpriced);
}

export async function draftCasesFor(
  context: ProjectContext,
  tools: readonly DraftTool[],
  wish: DraftWish,
): Promise<Drafted> {
  const generationModel = context.partModels.generation;
  if (generationModel === drafterId) {
    const step = await beginStep(context, randomUUID(), 1, freePrice, 0);
    const settle = (sql: Sql) => step.settle(sql, unknownUsage);
    return { generationModel, drafts: draftCases(tools, wish), settle };
  }
  return withOperatorsModels(context, generationModel, (models) =>
    draftWithModel({ ...context, models }, tools, wish),
  );
}

const timesAsked = 2;
const mostOutputTokens = 16_384;
const unknownUsage: StepUsage = { inputTokens: null, outputTokens: null };

/** An answer that cannot be read is asked for once more, with what is wrong with it. */
async function draftWithModel(
  context: ProjectContext,
  tools: readonly DraftTool[],
  wish: DraftWish,
): Promise<Drafted> {
  const { models, partModels, signal } = context;
  const model = hostedPart(models, 'generationModel', partModels.generation);
  const { system, prompt } = writeDraftRequest(tools, wish);
  const ref = randomUUID();
  const paid: { readonly step: PaidStep; readonly usage: StepUsage }[] = [];
  const settle = async (sql: Sql) => {
    for (const { step, usage } of paid) await step.settle(sql, usage);
  };
  let problem: string | undefined;
  try {
    for (let asked = 1; asked <= timesAsked; asked += 1) {
      const said = problem === undefined ? prompt : `${prompt}\n${correction(problem)}`;
      const request: ModelRequest = {
        ...{ system, tools: [], temperature: 0, maxOutputTokens: mostOutputTokens },
        messages: [{ role: 'user', content: said }],
      };
      const bytes = Buffer.byteLength(system) + Buffer.byteLength(said);
      const step = await beginStep(context, ref, asked, priceOfModel(models, model), bytes);
      paid.push({ step, usage: unknownUsage });
      const asking = models.generate(model, request, { signal }).catch((error: unknown) => {
        paid[asked - 1] = { step, usage: usageOfFailure(error) };
        throw error;
      });
      const { text, usage } = await orModelRefusal(asking, signal);
      paid[asked - 1] = { step, usage: usageOf(usage) };
      const read = readDraftAnswer(text, tools, wish);
      if ('drafts' in read)
        return { generationModel: partModels.generation, drafts: read.drafts, settle };
      problem = read.problem;
    }
  } catch (error) {
    await context.tenant(settle);
    throw error;
  }
  await context.tenant(settle);
  return refuse({
    code: 'INTERNAL_ERROR',
    message: 'The model that drafts cases gave no drafts that can be read; try again.',
    details: { reason: 'INVALID_MODEL_OUTPUT' },
  });
}

function beginStep(
  { database, project, spending, partModels }: ProjectContext,
  ref: string,
  asked: number,
  price: Parameters<typeof beginPaidStep>[2]['price'],
  requestBytes: number,
): Promise<PaidStep> {
  return beginPaidStep(database, spending.limits.creditsPerDay, {
    place: { organizationId: project.organizationId, projectId: project.id },
    ...{ kind: 'generation', ref, step: String(asked), model: partModels.generation },
    ...{ price, requestBytes, mostOutputTokens },
  });
}

function usageOf({ inputTokens, outputTokens }: ModelUsage): StepUsage {
  return { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null };
}

function correction(problem: string): string {
  return `Your last answer could not be used: ${problem.slice(0, 400)} Answer again, with the JSON object alone.`;
}
