export interface ClientOptions {
  /** The service's address without the API path, such as `http://127.0.0.1:3300`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Returns additional headers, such as the console's CSRF token. Called for every request. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Maximum number of retries of a rejected or failed request that is safe to repeat (default: 3).
   */
  readonly maxRetries?: number;
  /**
   * The longest total time that one request may wait because of rate limits. These waits do not
   * count as retries. If unset, a rate-limited request is retried `maxRetries` times.
   */
  readonly limitPatience?: LimitPatience;
  /** `sleep` and `random` replace waits and jitter in tests. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface LimitPatience {
  readonly mostMs: number;
  readonly onWait?: (seconds: number) => void;
}

export interface CallOptions {
  /** Whether the request is safe to repeat, so that it is retried like a GET. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
