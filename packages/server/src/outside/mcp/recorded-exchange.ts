/**
 * One request to a server, with its results as the server sent them. They are recorded before the
 * protocol library parses them.
 */
import type { Json } from '@proofmark/domain';
import type { CallBudget } from './call-budget.ts';

export interface RpcError {
  readonly code: number;
  readonly data?: unknown;
}

type BodyKind = 'json' | 'events' | 'other';

export class RecordedExchange {
  readonly key: string;
  readonly budget: CallBudget;
  /**
   * Whether the request makes the server work, like a tool call. The server may then send nothing
   * for the whole duration of the call.
   */
  readonly isWork: boolean;
  /** The results by method. A handshake has more than one request, and so more than one result. */
  readonly results = new Map<string, Json>();
  /** The first JSON-RPC error that the server sent, with its data. */
  rpcError: RpcError | undefined;
  /**
   * Rejects when the answer breaks a protocol rule whose violation the protocol library does not
   * report.
   */
  readonly failed: Promise<never>;
  #lastBody: BodyKind | undefined;
  #isAnswered = false;
  readonly #reject: (reason: unknown) => void;

  constructor(budget: CallBudget, isWork = false) {
    lastKey += 1;
    this.key = String(lastKey);
    this.budget = budget;
    this.isWork = isWork;
    let reject: (reason: unknown) => void = () => undefined;
    this.failed = new Promise<never>((_, rejectIt) => {
      reject = rejectIt;
    });
    this.failed.catch(() => undefined);
    this.#reject = reject;
  }

  /**
   * The kind of the latest response body. A JSON body is the whole answer; an event stream may be
   * continued by another body.
   */
  get lastBody(): BodyKind | undefined {
    return this.#lastBody;
  }

  set lastBody(kind: BodyKind) {
    this.#lastBody = kind;
    this.markAnswered();
  }

  /**
   * True once the server has sent anything: the headers of a response, or a message, even an error.
   */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  markAnswered(): void {
    this.#isAnswered = true;
    this.budget.isAnswered = true;
  }

  fail(reason: unknown): void {
    this.#reject(reason);
  }
}

let lastKey = 0;

/**
 * The header that carries the key of an exchange from the request to the `fetch` that sends it.
 * That `fetch` removes the header, so it never leaves the process.
 */
export const exchangeHeader = 'x-exchange-key';
