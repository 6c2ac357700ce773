/**
 * What the models of a session cost: one row of the ledger for every step of every beginning. Under a cap the worst case
 * of a step is set aside before it is asked, which waits while others may give credits back; once it has ended it is
 * written down, so that nothing is kept from others that nobody needs. Else what was asked is written down with the turn
 * it belongs to; what belongs to none, because the session was stopped or is somebody else's now, by itself.
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
  /** It waits for a place until then, and costs nothing. */
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
        // Until something is known of it, nobody knows what it cost.
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
          // Whoever answers was asked, whether or not it tells.
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

  /** In the transaction that keeps what the steps brought. `kept` is called when that is certain. */
  async settle(sql: Sql): Promise<{ kept(): void }> {
    // One that still waits may be sent yet.
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

  /** Never rejects: whoever lost a session has something else to tell. */
  async payAlone(): Promise<void> {
    if (this.#asked.length > 0) await this.#pay();
  }

  /** What could not be written down is tried again with the turn. */
  async #pay(steps?: readonly AskedStep[]): Promise<void> {
    const { database, log } = this.#dependencies;
    const { organizationId, groupId: runId } = this.#work;
    try {
      const settled = await database.tenant([organizationId], (sql) =>
        steps === undefined ? this.settle(sql) : this.#settle(sql, steps),
      );
      settled.kept();
    } catch (error) {
      log.warn({ err: error, runId }, 'what a session cost was not written down');
    }
  }

  #priceOf(model: string): PricePerMillion | undefined {
    if (model.startsWith('proofmark/')) return freePrice;
    const found = this.#prices.find((one) => one.model === model);
    // What the organization pays for itself has no cost that is known here.
    return found?.isOwn ? undefined : found;
  }
}
