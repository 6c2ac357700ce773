/**
 * Watches all turns of people in this process. Every 0.4 seconds, one transaction writes the beats
 * of all turns and reads what changed: a turn was stopped, its person lost access, or a decision
 * arrived.
 */
import { type ApprovalDecision, visitBounds } from '@proofmark/domain';
import type { Database, Sql } from '../../platform/database/database.ts';
import type { ApprovalState, TurnBeat } from './turn-rows.ts';

export interface TurnRows {
  beat(sql: Sql, turnIds: readonly string[]): Promise<TurnBeat[]>;
  decisions(sql: Sql, approvalIds: readonly string[]): Promise<ApprovalState[]>;
}

export type TurnStop = 'stopped' | 'closed' | 'gone' | 'restarting';

export class TurnStopped extends Error {
  readonly why: TurnStop;

  constructor(why: TurnStop) {
    super(`The turn was stopped: ${why}.`);
    this.why = why;
  }
}

interface OpenTurn {
  readonly id: string;
  readonly organizationId: string;
  stop(why: TurnStop): void;
}

interface WaitingApproval {
  readonly organizationId: string;
  decided(decision: ApprovalDecision | 'expired'): void;
}

export class TurnBeats {
  readonly #database: Database;
  readonly #rows: TurnRows;
  readonly #turns = new Map<string, OpenTurn>();
  readonly #approvals = new Map<string, WaitingApproval>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(database: Database, rows: TurnRows) {
    this.#database = database;
    this.#rows = rows;
  }

  keep(turn: OpenTurn): () => void {
    this.#turns.set(turn.id, turn);
    this.#goOn();
    return () => this.#turns.delete(turn.id);
  }

  decision(
    approval: { readonly id: string; readonly organizationId: string },
    signal: AbortSignal,
  ): Promise<ApprovalDecision | 'expired'> {
    const { id, organizationId } = approval;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#approvals.delete(id);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#approvals.set(id, {
        organizationId,
        decided: (decision) => {
          this.#approvals.delete(id);
          signal.removeEventListener('abort', leave);
          resolve(decision);
        },
      });
    });
  }

  /**
   * Checks now, without waiting for the interval, whether the turn was stopped. Call it before
   * every action that cannot be undone.
   */
  async lookAt(turnId: string): Promise<void> {
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return;
    const beats = await this.#database.tenant([turn.organizationId], (sql) =>
      this.#rows.beat(sql, [turnId]),
    );
    applyBeats([turn], beats);
  }

  stopAll(why: TurnStop): void {
    for (const turn of [...this.#turns.values()]) turn.stop(why);
  }

  #goOn(): void {
    this.#timer ??= setTimeout(async () => {
      // A database error is ignored, because the next interval checks again. If the turn was marked
      // as interrupted meanwhile, that check stops it.
      await this.#look().catch(() => undefined);
      this.#timer = undefined;
      if (this.#turns.size > 0) this.#goOn();
    }, visitBounds.beatMs);
  }

  async #look(): Promise<void> {
    const turns = [...this.#turns.values()];
    const approvals = [...this.#approvals];
    if (turns.length === 0) return;
    const organizations = new Set(turns.map(({ organizationId }) => organizationId));
    const [beats, decisions] = await this.#database.tenant([...organizations], async (sql) => [
      await this.#rows.beat(
        sql,
        turns.map(({ id }) => id),
      ),
      approvals.length === 0
        ? []
        : await this.#rows.decisions(
            sql,
            approvals.map(([id]) => id),
          ),
    ]);
    applyBeats(turns, beats);
    for (const { id, decision, isExpired } of decisions) {
      const over = decision ?? (isExpired ? 'expired' : undefined);
      if (over !== undefined) this.#approvals.get(id)?.decided(over);
    }
  }
}

function applyBeats(turns: readonly OpenTurn[], beats: readonly TurnBeat[]): void {
  const beatsById = new Map(beats.map((beat) => [beat.id, beat]));
  for (const turn of turns) {
    const beat = beatsById.get(turn.id);
    if (beat === undefined) turn.stop('gone');
    else if (beat.isClosed) turn.stop('closed');
    else if (beat.isStopped) turn.stop('stopped');
  }
}
