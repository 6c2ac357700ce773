import { ApiError } from '@proofmark/client';
import type { OwnSessions } from './own-sessions.ts';
import { meaningOf } from './refusal-meaning.ts';
import type { ShareAddress } from './share-address.ts';
import { type TurnView, type VisitLine, withLine } from './turn-view.ts';
import type { RedeemedLink, VisitCalls } from './visit-calls.ts';
import type { VisitState } from './visit-state.ts';

export interface VisitParts {
  readonly calls: VisitCalls;
  readonly address: ShareAddress;
  readonly sessions: OwnSessions;
  /** Called once the link is open. The token can then be removed from the page's address. */
  readonly opened: (scenarioId: string) => void;
  readonly newId: () => string;
  readonly now: () => number;
  readonly later: (work: () => void, milliseconds: number) => void;
}

/** The longest delay that a browser's timer supports. */
const longestWaitMs = 2 ** 31 - 1;

export class VisitStore {
  readonly parts: VisitParts;
  readonly #watchers = new Set<() => void>();
  #state: VisitState;

  constructor(parts: VisitParts) {
    this.parts = parts;
    const { isPreview } = parts.address;
    this.#state = { isPreview, turns: [], isBusy: false, earlier: [] };
  }

  readonly state = (): VisitState => this.#state;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  set(change: Partial<VisitState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }

  turn(clientTurnId: string): TurnView | undefined {
    return this.#state.turns.find((turn) => turn.clientTurnId === clientTurnId);
  }

  changeTurn(clientTurnId: string, change: (turn: TurnView) => TurnView): void {
    const turns = this.#state.turns.map((turn) =>
      turn.clientTurnId === clientTurnId ? change(turn) : turn,
    );
    this.set({ turns });
  }

  /** Removes a turn that the service did not accept, and puts its text back into the text box. */
  takeBack({ clientTurnId, text }: TurnView): void {
    const turns = this.#state.turns.filter((turn) => turn.clientTurnId !== clientTurnId);
    this.set({ turns, unsent: text });
  }

  mayStop(clientTurnId: string): void {
    this.changeTurn(clientTurnId, (turn) => ({ ...turn, mayStop: true }));
  }

  link(): RedeemedLink {
    if (this.#state.link === undefined) throw new Error('The link was not opened yet.');
    return this.#state.link;
  }

  /** The address may contain the scenario's id even if the link could not be opened. */
  scenarioId(): string | undefined {
    const { opens } = this.parts.address;
    const named = opens !== undefined && 'scenarioId' in opens ? opens.scenarioId : undefined;
    return this.#state.link?.scenarioId ?? named;
  }

  hear(clientTurnId: string, line: VisitLine): void {
    this.changeTurn(clientTurnId, (turn) => withLine(turn, line));
    if (line.type !== 'error') return;
    const status = statusOfLines[line.code];
    if (status === undefined) return;
    const { message, details = {} } = line;
    this.meet(
      new ApiError(status, { code: line.code as 'FORBIDDEN', message, details }, undefined),
    );
  }

  async doing(work: () => Promise<unknown>): Promise<boolean> {
    this.set({ isBusy: true, problem: undefined });
    try {
      await work();
      return true;
    } catch (error) {
      this.meet(error);
      return false;
    } finally {
      this.set({ isBusy: false });
    }
  }

  meet(error: unknown, opening = false): void {
    const meaning = meaningOf(error, this.parts.now(), opening);
    const { link } = this.#state;
    if (meaning.kind === 'closed') this.set({ closed: meaning.closed });
    else if (meaning.kind === 'ended' || meaning.kind === 'silent')
      this.set({ ended: meaning.kind });
    else if (meaning.kind === 'gone') this.set({ ended: 'gone', sessionId: undefined });
    else if (meaning.kind === 'consent' && link) this.set({ link: { ...link, consented: false } });
    else if (meaning.kind === 'problem') this.set({ problem: meaning.text });
    else if (meaning.kind === 'limit') {
      const { limit } = meaning;
      this.set({ limit });
      const waitMs = (limit.endsAt ?? Number.POSITIVE_INFINITY) - this.parts.now();
      if (waitMs <= longestWaitMs) this.parts.later(() => this.#lift(limit), waitMs);
    }
  }

  #lift(limit: VisitState['limit']): void {
    if (this.#state.limit === limit) this.set({ limit: undefined });
  }
}

/**
 * HTTP status for two error codes in a streamed turn. These errors also affect the next turn, so
 * they are handled like a rejected request.
 */
const statusOfLines: Readonly<Record<string, number>> = { RATE_LIMITED: 429, FORBIDDEN: 403 };
