/**
 * Stores the detected material, then lets a narrator explain it, by rules or with a model. Every
 * write requires that the generation (the current request) is still pending. If Proofmark itself
 * fails, the work is retried, and finally the request fails.
 */
import {
  chooseModel,
  type DetectedMaterial,
  freePrice,
  type InsightScopeKind,
  type NarrationAnswer,
  narrateByRules,
  narratorId,
  priceStep,
} from '@proofmark/domain';
import { explainCandidates } from '../../../conversation/explain-candidates.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import type { RunLimits } from '../../../platform/spending/run-limits.ts';
import { writeLedger } from '../../../platform/spending/store/ledger.ts';
import { isLastAttempt } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import { type ClaimedWork, completeWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind, WorkLog } from '../../../platform/work/work-kind.ts';
import { modelsOf } from '../../models/index.ts';
import {
  closeNarration,
  type GenerationOfInsights,
  generationOfWork,
  waitsInLine,
} from '../store/insights-work.ts';
import {
  concludeInsights,
  type EndOfNarration,
  findPendingModel,
  keepCandidates,
  listSilentInsights,
  recordWorkBeat,
} from '../store/scope-insights.ts';
import type { Detected } from './detect-in-eval-run.ts';

/** Milliseconds without a sign of life from the worker after which a pending request is ended. */
const longestSilenceMs = 5 * 60_000;
/**
 * Milliseconds for which a request may wait for its first worker. This wait does not count as
 * silence.
 */
const longestWaitMs = 60 * 60_000;

export interface InsightScope {
  detect(database: Database, of: GenerationOfInsights, signal: AbortSignal): Promise<Detected>;
  /**
   * Removes data that people have meanwhile erased, from the material or from an answer. Absent for
   * scopes whose data nobody can erase.
   */
  readonly withoutForgotten?: {
    material(sql: Sql, material: DetectedMaterial): Promise<DetectedMaterial>;
    answer(sql: Sql, answer: NarrationAnswer): Promise<NarrationAnswer>;
  };
}

export interface NarratorParts {
  readonly database: Database;
  readonly models: ModelGateway;
  readonly log: WorkLog;
  readonly runLimits: Pick<RunLimits, 'creditsPerDay'>;
  readonly scopes: Readonly<Record<InsightScopeKind, InsightScope>>;
}

export function insightsKind(dependencies: NarratorParts, atOnce: number): WorkKind {
  return { atOnce, run: (work, attempt) => narrate(dependencies, work, attempt) };
}

async function narrate(
  dependencies: NarratorParts,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  if (attempt.stopping.aborted) return 'left';
  const { log } = dependencies;
  const of = generationOfWork(work);
  let end: EndOfNarration | 'notWaitedFor';
  try {
    end = await explain(dependencies, of, attempt.signal);
  } catch (error) {
    const isOver = isLastAttempt(work) && !attempt.signal.aborted && !isPassing(error);
    if (!isOver || error instanceof LeaseLost) throw error;
    log.error({ err: error, scopeId: of.scopeId }, 'Proofmark could not create insights');
    end = { errorCode: 'input_unreadable' };
  }
  await retryWhileDatabaseIsAway(() => conclude(dependencies, work, of, end), attempt.signal);
  return 'completed';
}

/**
 * Locks the referenced rows first and then the scope's row: all transactions use this order, so
 * that they do not deadlock.
 */
async function conclude(
  { database, scopes }: NarratorParts,
  work: ClaimedWork,
  of: GenerationOfInsights,
  end: EndOfNarration | 'notWaitedFor',
): Promise<void> {
  await database.tenant([of.organizationId], async (sql) => {
    const isTaken =
      end !== 'notWaitedFor' &&
      (await concludeInsights(sql, of, await keptEnd(sql, scopes[of.kind], end)));
    if (isTaken && 'answer' in end && end.modelUsed === narratorId) {
      const tokens = { inputTokens: null, outputTokens: null };
      const step = {
        kind: 'insights',
        ref: refOf(of),
        step: '1',
        model: narratorId,
        priceStep,
      } as const;
      await writeLedger(sql, of, [{ ...step, ...tokens, ...priceStep(freePrice, tokens) }]);
    }
    await completeWork(sql, work);
  });
}

/**
 * Removes data that visitors erased during the model call: the model had read that data, so the
 * answer may contain it.
 */
async function keptEnd(
  sql: Sql,
  { withoutForgotten }: InsightScope,
  end: EndOfNarration,
): Promise<EndOfNarration> {
  if (withoutForgotten === undefined || !('answer' in end)) return end;
  return { ...end, answer: await withoutForgotten.answer(sql, end.answer) };
}

async function explain(
  { database, models, scopes, runLimits: { creditsPerDay } }: NarratorParts,
  of: GenerationOfInsights,
  signal: AbortSignal,
): Promise<EndOfNarration | 'notWaitedFor'> {
  const inTenant = <Result>(work: Parameters<typeof database.tenant<Result>>[1]) =>
    database.tenant([of.organizationId], work);
  const modelId = await inTenant((sql) => findPendingModel(sql, of));
  const { detect, withoutForgotten } = scopes[of.kind];
  if (modelId === undefined) return 'notWaitedFor';
  const { material, shown } = await detect(database, of, signal);
  const isKept = await inTenant(async (sql) => {
    const kept = (await withoutForgotten?.material(sql, material)) ?? material;
    return keepCandidates(sql, of, kept);
  });
  if (!isKept) return 'notWaitedFor';
  const candidates = material.candidates.map(({ candidate }) => candidate);
  // Without candidates no model is called, because there is nothing to explain.
  if (modelId === narratorId || candidates.length === 0) {
    return { answer: narrateByRules(candidates, material.coverage), modelUsed: narratorId };
  }
  const asked = { kind: of.kind, coverage: material.coverage, candidates: shown };
  const isWaitedFor = () => inTenant((sql) => recordWorkBeat(sql, of));
  // Only the operator's providers are searched, because the model belongs to the operator.
  const { models: known } = await inTenant((sql) => modelsOf(sql, { database, models }, null));
  try {
    const model = chooseModel({ model: modelId }, known.offer, []);
    if ('refusal' in model) return { errorCode: 'provider_error' };
    // Every call gets its own ledger row, even if its answer is rejected.
    const payer = { database, creditsPerDay, place: of, kind: 'insights', ref: refOf(of) } as const;
    const paying = payingModels(known, { ...payer, mostWaitMs });
    const explained = await explainCandidates(paying, model, asked, { signal, isWaitedFor });
    if (explained === 'notWaitedFor' || 'errorCode' in explained) return explained;
    return { answer: explained, modelUsed: modelId };
  } finally {
    if (known !== models) await known.close();
  }
}

function refOf({ kind, scopeId, generation }: GenerationOfInsights): string {
  return `${kind}/${scopeId}/${generation}`;
}

export async function endSilentInsights(
  database: Database,
  log: Pick<WorkLog, 'error'>,
): Promise<number> {
  let ended = 0;
  for (const of of await listSilentInsights(database.sql, longestSilenceMs)) {
    try {
      ended += (await endSilent(database, of)) ? 1 : 0;
    } catch (error) {
      log.error({ err: error, scopeId: of.scopeId }, 'silent insights could not be ended');
    }
  }
  return ended;
}

async function endSilent(database: Database, of: GenerationOfInsights): Promise<boolean> {
  return database.tenant([of.organizationId], async (sql) => {
    if (await waitsInLine(sql, of, longestWaitMs)) return false;
    const isEnded = await concludeInsights(sql, of, { errorCode: 'generation_timeout' });
    if (isEnded) await closeNarration(sql, of);
    return isEnded;
  });
}

/**
 * The maximum wait for credits that running trials have reserved, in milliseconds. It is shorter
 * than the silence after which a request is ended.
 */
const mostWaitMs = 60_000;
