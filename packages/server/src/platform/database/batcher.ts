/**
 * Collects the questions that arrive during one round trip to the database and sends them together
 * in the next. Under load, a hundred questions cost one round trip, one statement and one commit. A
 * question that has waited too long is rejected, since its caller has given up.
 */
export class Batcher<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #longestWaitMs: number;
  #waiting: Waiting<Question, Answer>[] = [];
  #isUnderWay = false;

  /**
   * `ask` must return the answers in the order of the questions. `longestWaitMs` is the longest
   * timeout of any caller (default: one minute).
   */
  constructor(
    ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    longestWaitMs = 60_000,
  ) {
    this.#ask = ask;
    this.#longestWaitMs = longestWaitMs;
  }

  answer(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject, sinceMs: performance.now() });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(() => void this.#travel());
    });
  }

  async #travel(): Promise<void> {
    for (;;) {
      this.#refuseLate();
      if (this.#waiting.length === 0) break;
      const group = this.#waiting.splice(0, mostAtOnce);
      try {
        const answers = await this.#ask(group.map(({ question }) => question));
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isUnderWay = false;
  }

  /**
   * Rejects questions that have waited too long. They are at the front, since questions wait in
   * order of arrival.
   */
  #refuseLate(): void {
    const latestMs = performance.now() - this.#longestWaitMs;
    const firstInTime = this.#waiting.findIndex(({ sinceMs }) => sinceMs >= latestMs);
    const late = this.#waiting.splice(0, firstInTime === -1 ? this.#waiting.length : firstInTime);
    for (const { reject } of late)
      reject(new Error('The database was too busy: a query waited too long to be sent.'));
  }
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
}

export const mostAtOnce = 100;
