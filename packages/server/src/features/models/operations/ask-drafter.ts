import { randomUUID } from 'node:crypto';
import { drafterId, freePrice, type StepUsage } from '@proofmark/domain';
import type { ModelRequest } from '../../../outside/model/model-gateway.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { beginPaidStep, type PaidStep } from '../../../platform/spending/paid-step.ts';
import { priceOfModel } from '../../../platform/spending/paying-models.ts';
import { refuseWithoutCredits } from '../../../platform/spending/refuse-without-credits.ts';
import {
  isUnsent,
  usageOfFailure,
  usageOfReply,
} from '../../../platform/spending/usage-of-call.ts';
import type { ModelsProject } from '../models-context.ts';
import { modelFailureError } from './model-failure-error.ts';
import { operatorModel } from './operator-model.ts';
import { withOperatorsModels } from './with-operators-models.ts';

export interface ToDraft<Draft> {
  /** The name of the kind of draft, used in messages. */
  readonly what: string;
  byRules(): readonly Draft[];
  request(): { readonly system: string; readonly prompt: string };
  read(text: string): { readonly drafts: readonly Draft[] } | { readonly problem: string };
}

export interface Drafted<Draft> {
  readonly generationModel: string;
  readonly drafts: readonly Draft[];
  /**
   * Pays for the request in the transaction that stores the drafts. A repeated call pays only once.
   */
  settle(sql: Sql): Promise<void>;
}

export async function askDrafter<Draft>(
  context: ModelsProject,
  toDraft: ToDraft<Draft>,
  /** Called if a model was called, before the result of the drafting is returned or thrown. */
  onAsked: () => void = () => undefined,
): Promise<Drafted<Draft>> {
  const generationModel = context.partModels.generation;
  if (generationModel === drafterId) {
    const step = await beginStep(context, randomUUID(), 1, freePrice, 0);
    const settle = (sql: Sql) => step.settle(sql, unknownUsage);
    return { generationModel, drafts: toDraft.byRules(), settle };
  }
  return withOperatorsModels(context, generationModel, (models) =>
    draftWithModel({ ...context, models }, toDraft, onAsked),
  );
}

/**
 * Checks the credits before any server is called: rejects the request if they cannot cover the
 * drafts, or if the model has no price. The built-in drafter is free.
 */
export async function refuseUncoveredDrafts(context: ModelsProject): Promise<void> {
  const { partModels, project, spending } = context;
  const { generation } = partModels;
  if (generation === drafterId) return;
  await withOperatorsModels(context, generation, async (models) => {
    const model = operatorModel(models, 'generationModel', generation);
    const unpriced = priceOfModel(models, model) === undefined ? [generation] : [];
    const { creditsPerDay } = spending.limits;
    await context.tenant((sql) =>
      refuseWithoutCredits(sql, project.organizationId, creditsPerDay, unpriced),
    );
  });
}

const timesAsked = 2;
const mostOutputTokens = 16_384;
const unknownUsage: StepUsage = { inputTokens: null, outputTokens: null };

/** Asks the model. After an unreadable answer, asks once more with a description of the problem. */
async function draftWithModel<Draft>(
  context: ModelsProject,
  toDraft: ToDraft<Draft>,
  onAsked: () => void,
): Promise<Drafted<Draft>> {
  const { models, partModels, signal } = context;
  const model = operatorModel(models, 'generationModel', partModels.generation);
  const { system, prompt } = toDraft.request();
  const ref = randomUUID();
  const paid: { readonly step: PaidStep; readonly usage: StepUsage | 'unsent' }[] = [];
  const settle = async (sql: Sql) => {
    for (const { step, usage } of paid) {
      await (usage === 'unsent' ? step.drop(sql) : step.settle(sql, usage));
    }
  };
  let problem: string | undefined;
  try {
    for (let asked = 1; asked <= timesAsked; asked += 1) {
      const content = problem === undefined ? prompt : `${prompt}\n${correction(problem)}`;
      const request: ModelRequest = {
        system,
        tools: [],
        temperature: 0,
        maxOutputTokens: mostOutputTokens,
        messages: [{ role: 'user', content: content }],
      };
      const bytes = Buffer.byteLength(system) + Buffer.byteLength(content);
      const step = await beginStep(context, ref, asked, priceOfModel(models, model), bytes);
      paid.push({ step, usage: unknownUsage });
      let isWaiting = true;
      const onSent = (isSent: boolean) => {
        isWaiting = !isSent;
      };
      const asking = models.generate(model, request, { signal, onSent }).catch((error: unknown) => {
        paid[asked - 1] = {
          step,
          usage: isUnsent(isWaiting, error) ? 'unsent' : usageOfFailure(error),
        };
        throw error;
      });
      const reply = await modelFailureError(asking, signal);
      paid[asked - 1] = { step, usage: usageOfReply(reply) };
      const read = toDraft.read(reply.text);
      if ('drafts' in read)
        return { generationModel: partModels.generation, drafts: read.drafts, settle };
      problem = read.problem;
    }
  } catch (error) {
    await context.tenant(settle);
    throw error;
  } finally {
    if (paid.some(({ usage }) => usage !== 'unsent')) onAsked();
  }
  await context.tenant(settle);
  return refuse({
    code: 'INTERNAL_ERROR',
    message: `The model that drafts ${toDraft.what} gave no readable drafts; try again.`,
    details: { reason: 'INVALID_MODEL_OUTPUT' },
  });
}

function beginStep(
  { database, project, spending, partModels }: ModelsProject,
  ref: string,
  asked: number,
  price: Parameters<typeof beginPaidStep>[2]['price'],
  requestBytes: number,
): Promise<PaidStep> {
  return beginPaidStep(database, spending.limits.creditsPerDay, {
    place: { organizationId: project.organizationId, projectId: project.id },
    kind: 'generation',
    ref,
    step: String(asked),
    model: partModels.generation,
    price,
    requestBytes,
    mostOutputTokens,
  });
}

function correction(problem: string): string {
  return `Your last answer could not be used: ${problem.slice(0, 400)} Answer again, with the JSON object alone.`;
}
