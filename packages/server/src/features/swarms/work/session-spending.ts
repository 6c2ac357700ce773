/**
 * Pays for the model calls of a session, with one ledger row per call. With a credit cap, a call's
 * maximum cost is reserved first, and its real cost is written right after the call. Without a cap,
 * the cost is written together with the turn.
 */
import { freePrice, type JourneySnapshot, type PricePerMillion } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { beginPaidStep, type PaidStep } from '../../../platform/spending/paid-step.ts';
import { capOf, nameOf } from '../../../platform/spending/paying-models.ts';
import { usageOfFailure, usageOfReply } from '../../../platform/spending/usage-of-call.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkerDependencies } from '../../evals/index.ts';
import type { BegunSession } from '../store/played-sessions.ts';

type Usage = Parameters<PaidStep['settle']>[1];

interface AskedStep {
  readonly paid: PaidStep;
  usage: Usage;
  /**
   * Whether the request was sent to the model. Until then the step waits for a slot and costs
   * nothing.
   */
  isSent: boolean;
  isOver: boolean;
}

export class SessionSpending {
  readonly #dependencies: WorkerDependencies;
  readonly #work: ClaimedWork;
  readonly #session: BegunSession;
  readonly #prices: JourneySnapshot['prices'];
  #asked: AskedStep[] = [];
  #steps = 0;

  constructor(
    dependencies: WorkerDependencies,
    work: ClaimedWork,
    session: BegunSession,
    prices: JourneySnapshot['prices'],
  ) {
    this.#dependencies = dependencies;
    this.#work = work;
    this.#session = session;
    this.#prices = prices;
  }

  models(models: ModelGateway, kind: 'host_step' | 'persona_turn'): Pick<ModelGateway, 'generate'> {
    const { database, runLimits } = this.#dependencies;
    return {
      generate: async (model, request, options) => {
        this.#steps += 1;
        const cap = capOf(models, model, runLimits.creditsPerDay);
        const paid = await beginPaidStep(database, cap, {
          place: this.#work,
          kind,
          model: nameOf(model),
          price: this.#priceOf(nameOf(model)),
          ref: `${this.#work.groupId}/${this.#session.sessionId}`,
          step: `${this.#session.begun}.${this.#steps}`,
          requestBytes: Buffer.byteLength(JSON.stringify(request)),
          ...(request.maxOutputTokens !== undefined && {
            mostOutputTokens: request.maxOutputTokens,
          }),
          wait: { mostMs: Number.POSITIVE_INFINITY, signal: options.signal },
        });
        // The token counts, and so the cost, are unknown until the reply reports them.
        const usage = { inputTokens: null, outputTokens: null };
        const step: AskedStep = { paid, usage, isSent: false, isOver: false };
        this.#asked.push(step);
        const onSent = (isSent: boolean) => {
          step.isSent = isSent;
          options.onSent?.(isSent);
        };
        try {
          const reply = await paid.during(() =>
            models.generate(model, request, { ...options, onSent }),
          );
          // A reply shows that the request was sent, even if the gateway did not report that it
          // sent it.
          step.isSent = true;
          step.usage = usageOfReply(reply);
          return reply;
        } catch (error) {
          step.usage = usageOfFailure(error);
          throw error;
        } finally {
          step.isOver = true;
          if (paid.isReserved) await this.#pay([step]);
        }
      },
    };
  }

  /**
   * Writes the cost of the steps in the transaction that stores their results. The caller must call
   * `kept` after the commit, or the cost is written again.
   */
  async settle(sql: Sql): Promise<{ kept(): void }> {
    // A step that still waits for a slot is left out, because its request may be sent later.
    return this.#settle(
      sql,
      this.#asked.filter(({ isSent, isOver }) => isSent || isOver),
    );
  }

  async #settle(sql: Sql, steps: readonly AskedStep[]): Promise<{ kept(): void }> {
    for (const { paid, usage, isSent } of steps) {
      await (isSent ? paid.settle(sql, usage) : paid.drop(sql));
    }
    return {
      kept: () => {
        this.#asked = this.#asked.filter((step) => !steps.includes(step));
      },
    };
  }

  /**
   * Writes the unpaid cost of steps whose turn was not stored. Never rejects, because a rejection
   * would hide the caller's error.
   */
  async payAlone(): Promise<void> {
    if (this.#asked.length > 0) await this.#pay();
  }

  /**
   * Writes the cost in its own transaction. After a failed write the steps stay in `#asked`, so the
   * next write of this session includes them.
   */
  async #pay(steps?: readonly AskedStep[]): Promise<void> {
    const { database, log } = this.#dependencies;
    const { organizationId, groupId: runId } = this.#work;
    try {
      const settled = await database.tenant([organizationId], (sql) =>
        steps === undefined ? this.settle(sql) : this.#settle(sql, steps),
      );
      settled.kept();
    } catch (error) {
      log.warn({ err: error, runId }, 'the cost of a session could not be stored');
    }
  }

  #priceOf(model: string): PricePerMillion | undefined {
    if (model.startsWith('proofmark/')) return freePrice;
    const found = this.#prices.find((one) => one.model === model);
    // The organization pays the provider of its own models directly, so their cost is unknown here.
    return found?.isOwn ? undefined : found;
  }
}
