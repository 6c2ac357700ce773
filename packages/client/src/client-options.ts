export interface ClientOptions {
  /** The address of the service without the API's path, such as `http://127.0.0.1:3300`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /**
   * Returns additional headers, for example the console's CSRF token. It is called anew for every
   * request.
   */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * The maximum number of retries after a rejected or failed request, if repeating it is safe
   * (default: 3).
   */
  readonly maxRetries?: number;
  /**
   * The longest total time that one request may wait while the service limits its rate. These waits
   * do not count as retries (default: a rate-limited request is retried `maxRetries` times).
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
  /** Whether repeating the request is safe, so that it is retried like a GET. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
