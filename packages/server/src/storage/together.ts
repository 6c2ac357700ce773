/**
 * Questions that arrive while one is being answered travel together as the next. Alone, a question leaves at the end
 * of the same turn of the event loop; under load a hundred of them cost one round trip, one statement and one
 * commit. Each gets its own answer, or the failure of the journey.
 */
export class Together<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  #waiting: Waiting<Question, Answer>[] = [];
  #isUnderWay = false;

  /** `ask` answers in the order of the questions. */
  constructor(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>) {
    this.#ask = ask;
  }

  answer(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(() => void this.#travel());
    });
  }

  async #travel(): Promise<void> {
    while (this.#waiting.length > 0) {
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
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export const mostAtOnce = 100;
