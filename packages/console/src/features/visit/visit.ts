/**
 * One visit to a share link: opens the link and performs the visitor's actions. If the link's rules
 * of admission change, the visit requests admission anew and repeats the message.
 */
import { ApiError, ConnectionError } from '@proofmark/client';
import { followTurn } from './follow-turn.ts';
import { goneWords, meaningOf } from './refusal-meaning.ts';
import type { ShareAddress } from './share-address.ts';
import { newTurn, openCall, type TurnView, turnsOf, withDecision } from './turn-view.ts';
import { ConversationGone, type RedeemedLink } from './visit-calls.ts';
import type { VisitParts, VisitStore } from './visit-store.ts';

/**
 * Stop is disabled for this time after the start of a turn, so that a double press on Send does not
 * stop it.
 */
const stopAfterMs = 1000;

export class Visit {
  readonly store: VisitStore;
  readonly #parts: VisitParts;

  constructor(store: VisitStore) {
    this.store = store;
    this.#parts = store.parts;
  }

  async open(): Promise<void> {
    const { calls, address, opened } = this.#parts;
    this.store.set({ problem: undefined, limit: undefined, isUnread: true });
    try {
      await calls.call('getVisitSession', {});
      const link = await calls.call('redeemShareLink', { body: asked(address) });
      opened(link.scenarioId);
      this.store.set({ link });
    } catch (error) {
      this.store.meet(error, true);
    }
    await this.#recall();
    this.#countEarlier();
    const last = this.store.state().turns.at(-1);
    if (last?.status === 'running') void followTurn(this.store, last.clientTurnId);
  }

  async accept(): Promise<void> {
    await this.store.doing(() =>
      this.#renewing(async ({ scenarioId, accessVersion, notice }) => {
        const body = { noticeVersion: notice.version, accessVersion };
        await this.#parts.calls.call('acceptNotice', { scenarioId, body });
        this.store.set({ link: { ...this.store.link(), consented: true } });
      }),
    );
  }

  send(text: string): Promise<void> {
    const turn = newTurn(this.#parts.newId(), text);
    this.store.set({ turns: [...this.store.state().turns, turn] });
    return this.#play(turn);
  }

  sendAgain({ clientTurnId, text }: TurnView): Promise<void> {
    const turn = newTurn(clientTurnId, text);
    this.store.changeTurn(clientTurnId, () => turn);
    return this.#play(turn);
  }

  async decide(turn: TurnView, decision: 'approve' | 'deny'): Promise<void> {
    const call = openCall(turn);
    const { turnId, clientTurnId } = turn;
    if (call?.approval === undefined || turnId === undefined) return;
    const { approvalId, argumentsHash } = call.approval;
    this.store.changeTurn(clientTurnId, (now) => withDecision(now, call, decision));
    const { scenarioId } = this.store.link();
    const body = { approvalId, decision, argumentsHash };
    await this.store.doing(async () => {
      try {
        await this.#parts.calls.call('answerApproval', { scenarioId, turnId, body });
      } catch (error) {
        const askAgain = (now: TurnView) => withDecision(now, call, undefined);
        if (mayBeSentAgain(error)) this.store.changeTurn(clientTurnId, askAgain);
        throw error;
      }
    });
  }

  async stop(turn: TurnView): Promise<void> {
    const { clientTurnId } = turn;
    const { scenarioId } = this.store.link();
    const stopping = (isStopping: boolean) =>
      this.store.changeTurn(clientTurnId, (now) => ({ ...now, isStopping }));
    stopping(true);
    const isTaken = await this.store.doing(async () => {
      const turnId = turn.turnId ?? (await this.#runningTurn(clientTurnId));
      if (turnId === undefined) return stopping(false);
      await this.#parts.calls.call('stopVisitorTurn', { scenarioId, turnId });
    });
    if (!isTaken) stopping(false);
  }

  async #runningTurn(clientTurnId: string): Promise<string | undefined> {
    const { sessionId } = this.store.state();
    if (sessionId === undefined) return undefined;
    const { scenarioId } = this.store.link();
    const { turn } = await this.#parts.calls.call('getVisitorSession', { scenarioId, sessionId });
    return turn?.clientTurnId === clientTurnId ? turn.turnId : undefined;
  }

  async rate(turn: TurnView | undefined, rating: number, comment = ''): Promise<boolean> {
    const { sessionId } = this.store.state();
    if (sessionId === undefined) return false;
    const { scenarioId } = this.store.link();
    const turnId = turn?.turnId ?? null;
    const body = { turnId, rating, ...(comment !== '' && { comment }) };
    const isGiven = await this.store.doing(() =>
      this.#parts.calls.call('giveFeedback', { scenarioId, sessionId, body }),
    );
    if (isGiven && turn === undefined) this.store.set({ endRating: rating });
    if (isGiven && turn) this.store.changeTurn(turn.clientTurnId, (now) => ({ ...now, rating }));
    return isGiven;
  }

  async end(): Promise<void> {
    const { sessionId } = this.store.state();
    if (sessionId === undefined) return;
    const { scenarioId } = this.store.link();
    await this.store.doing(async () => {
      await this.#parts.calls.call('endVisitorSession', { scenarioId, sessionId });
      this.store.set({ ended: 'ended', limit: undefined });
    });
  }

  /** Deletes the open conversation, even if the link was closed meanwhile. */
  async erase(): Promise<void> {
    const { sessionId } = this.store.state();
    const scenarioId = this.store.scenarioId();
    if (sessionId === undefined || scenarioId === undefined) return;
    await this.store.doing(async () => {
      await this.#forget(scenarioId, sessionId);
      this.#parts.sessions.close(scenarioId);
      this.store.set({ turns: [], sessionId: undefined, ended: 'erased', limit: undefined });
    });
    this.#countEarlier();
  }

  async eraseEarlier(): Promise<void> {
    const scenarioId = this.store.scenarioId();
    if (scenarioId === undefined) return;
    await this.store.doing(async () => {
      let isOneGone = false;
      for (const id of this.store.state().earlier) {
        await this.#forget(scenarioId, id).catch((error: unknown) => {
          if (!(error instanceof ConversationGone)) throw error;
          isOneGone = true;
        });
      }
      if (isOneGone) this.store.set({ problem: `Not all could be deleted. ${goneWords}` });
    });
    this.#countEarlier();
  }

  beginAnew(): void {
    this.#parts.sessions.close(this.store.link().scenarioId);
    const fresh = { sessionId: undefined, ended: undefined, endRating: undefined, turns: [] };
    this.store.set({ ...fresh, limit: undefined, problem: undefined });
    this.#countEarlier();
  }

  async #play(turn: TurnView): Promise<void> {
    const { clientTurnId, text } = turn;
    this.store.set({ problem: undefined });
    this.#parts.later(() => this.store.mayStop(clientTurnId), stopAfterMs);
    try {
      await this.#renewing(async (link) => {
        const { scenarioId, accessVersion } = link;
        const sessionId = await this.#session(link);
        const body = { text, clientTurnId, accessVersion };
        await this.#parts.calls.turn({ scenarioId, sessionId, body }, (line) =>
          this.store.hear(clientTurnId, line),
        );
      });
    } catch (error) {
      const isRunning = meaningOf(error, this.#parts.now()).kind === 'running';
      const { sessionId } = this.store.state();
      const mayHaveArrived = error instanceof ConnectionError && sessionId !== undefined;
      if (!isRunning && !mayHaveArrived) this.store.takeBack(turn);
      this.store.meet(error);
    }
    if (this.store.turn(clientTurnId)?.status === 'running') {
      await followTurn(this.store, clientTurnId);
    }
  }

  async #session({ scenarioId, accessVersion }: RedeemedLink): Promise<string> {
    const { sessionId: known, isPreview } = this.store.state();
    if (known !== undefined) return known;
    const body = { accessVersion, ...(isPreview && { preview: true }) };
    const made = await this.#parts.calls.call('createVisitorSession', { scenarioId, body });
    this.#parts.sessions.open(scenarioId, made.sessionId);
    this.store.set({ sessionId: made.sessionId });
    return made.sessionId;
  }

  /** After a reload, loads the open conversation, even if the link can no longer be opened. */
  async #recall(): Promise<void> {
    const { sessions, calls } = this.#parts;
    const scenarioId = this.store.scenarioId();
    const sessionId = scenarioId && sessions.current(scenarioId);
    if (scenarioId !== undefined && sessionId !== undefined) {
      try {
        const read = await calls.call('getVisitorSession', { scenarioId, sessionId });
        const isEnded = read.status === 'ended' && { ended: 'ended' as const };
        // If the user opens the link anew and the conversation has ended, a new conversation
        // starts. Otherwise the conversation is shown.
        if (isEnded && this.#isAnew()) sessions.close(scenarioId);
        else this.store.set({ sessionId, turns: turnsOf(read), ...isEnded });
      } catch (error) {
        if (!(error instanceof ConversationGone)) return this.store.set({ problem: unread });
        sessions.close(scenarioId);
      }
    }
    this.store.set({ isUnread: false });
  }

  #isAnew(): boolean {
    const { opens } = this.#parts.address;
    return this.store.state().link !== undefined && opens !== undefined && 'token' in opens;
  }

  #countEarlier(): void {
    const scenarioId = this.store.scenarioId();
    const all = scenarioId === undefined ? [] : this.#parts.sessions.all(scenarioId);
    this.store.set({ earlier: all.filter((id) => id !== this.store.state().sessionId) });
  }

  /**
   * If the service does not find the conversation, the call throws and the id is kept. The
   * conversation may belong to an earlier sign-in of this browser.
   */
  async #forget(scenarioId: string, sessionId: string): Promise<void> {
    await this.#parts.calls.call('eraseVisitorSession', { scenarioId, sessionId });
    this.#parts.sessions.forget(scenarioId, sessionId);
  }

  async #renewing<Result>(work: (link: RedeemedLink) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.store.link());
    } catch (error) {
      if (meaningOf(error, this.#parts.now()).kind !== 'stale') throw error;
    }
    const { scenarioId } = this.store.link();
    const link = await this.#parts.calls.call('redeemShareLink', { body: { scenarioId } });
    this.store.set({ link });
    return work(link);
  }
}

const unread = 'What you said here before could not be read. Check your connection and try again.';

/**
 * Whether the decision may be sent a second time: the service was too busy or probably did not
 * receive it.
 */
function mayBeSentAgain(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

function asked({ opens, invite }: ShareAddress) {
  if (opens === undefined) return { token: 'none' };
  return 'token' in opens && invite !== undefined ? { ...opens, invite } : opens;
}
