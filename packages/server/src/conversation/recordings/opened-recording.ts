/** A recording during its replay. Each exchange is used only once, so used exchanges are marked. */
import {
  type AskExchange,
  type CallExchange,
  describeRedactionMarks,
  type ExchangeDuration,
  firstDifference,
  hasMark,
  type ModelExchange,
  type Recording,
  type RecordingDurations,
  type ScorerExchange,
  type ServerRequestExchange,
  type WholeRequest,
  wholeRequests,
} from '@proofmark/domain';

export interface PlacedRequest {
  readonly place: number;
  readonly exchange: ModelExchange;
  readonly request: WholeRequest;
}

export interface PlacedCall<Exchange> {
  readonly place: number;
  readonly exchange: Exchange;
}

export class OpenedRecordingOfTrial {
  readonly servers: Recording['servers'];
  readonly durations: RecordingDurations | undefined;
  readonly #requests: PlacedRequest[];
  readonly #exchanges: Recording['exchanges'];
  readonly #taken = new Set<number>();

  readonly hasMarks: boolean;

  /** False if the recording is known to contain no redaction marks. */
  constructor(
    recording: Recording,
    durations: RecordingDurations | undefined,
    mayHaveMarks = true,
  ) {
    this.servers = recording.servers;
    this.durations = durations;
    this.#exchanges = recording.exchanges;
    this.#requests = wholeRequests(recording.exchanges);
    this.hasMarks = mayHaveMarks && hasMark([recording.servers, recording.exchanges]);
  }

  /**
   * Replaces redaction marks in a recorded value by descriptions. Most recordings have no marks, so
   * their values are not copied.
   */
  withMarksDescribed(value: unknown): unknown {
    return this.hasMarks ? describeRedactionMarks(value) : value;
  }

  take(place: number): void {
    this.#taken.add(place);
  }

  untake(place: number): void {
    this.#taken.delete(place);
  }

  get taken(): number {
    return this.#taken.size;
  }

  durationAt(place: number): ExchangeDuration | undefined {
    return this.durations?.exchanges[place] ?? undefined;
  }

  requestsLeft(by: ModelExchange['by']): PlacedRequest[] {
    return this.#requests.filter(
      ({ place, exchange }) => exchange.by === by && !this.#taken.has(place),
    );
  }

  scorersLeft(): PlacedCall<ScorerExchange>[] {
    return this.#looked((one): one is ScorerExchange => one.kind === 'scorer').filter(
      ({ exchange, isTaken }) => exchange.answer !== undefined && !isTaken,
    );
  }

  callsOf(serverName: string, toolName: string): FoundExchange<CallExchange>[] {
    return this.#looked((one): one is CallExchange => {
      return one.kind === 'call' && one.serverName === serverName && one.toolName === toolName;
    });
  }

  asksOf(serverName: string, method: string): FoundExchange<AskExchange>[] {
    return this.#looked((one): one is AskExchange => {
      return one.kind === 'ask' && one.serverName === serverName && one.method === method;
    });
  }

  wasListedAgainAfter(place: number, serverName: string): boolean {
    const rest = this.#exchanges.slice(place + 1);
    const end = rest.findIndex(({ kind }) => kind === 'model');
    const between = end < 0 ? rest : rest.slice(0, end);
    return between.some(
      (one) => one.kind === 'ask' && one.serverName === serverName && one.method === 'tools/all',
    );
  }

  requestsDuring(place: number): PlacedCall<ServerRequestExchange>[] {
    return this.#looked((one): one is ServerRequestExchange => {
      return (one.kind === 'sampling' || one.kind === 'elicitation') && one.during === place;
    });
  }

  #looked<Exchange extends Recording['exchanges'][number]>(
    isWanted: (one: Recording['exchanges'][number]) => one is Exchange,
  ): FoundExchange<Exchange>[] {
    return this.#exchanges.flatMap((exchange, place) =>
      isWanted(exchange) ? [{ place, exchange, isTaken: this.#taken.has(place) }] : [],
    );
  }
}

export interface FoundExchange<Exchange> extends PlacedCall<Exchange> {
  readonly isTaken: boolean;
}

/**
 * Finds the next unused exchange with equal arguments. If there is none, returns the next unused
 * exchange for comparison. `wasMade` is true if any exchange had equal arguments.
 */
export function findRecorded<Exchange extends { readonly arguments: unknown }>(
  looked: readonly FoundExchange<Exchange>[],
  input: unknown,
): {
  readonly found?: PlacedCall<Exchange>;
  readonly nearest?: Exchange;
  readonly wasMade: boolean;
} {
  const equal = looked.filter(
    ({ exchange }) => firstDifference(exchange.arguments, input) === undefined,
  );
  const found = equal.find(({ isTaken }) => !isTaken);
  if (found !== undefined) return { found, wasMade: true };
  const nearest = looked.find(({ isTaken }) => !isTaken)?.exchange;
  return { ...(nearest && { nearest }), wasMade: equal.length > 0 };
}
