export interface ClientOptions {
  /** The address of the service without the path of the API: `http://127.0.0.1:3300`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /**
   * Returns headers for every request, called anew each time, for example for the console's CSRF
   * token.
   */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  /** The number of retries of a rejected or failed request, if retrying is safe (default: 3). */
  readonly maxRetries?: number;
  /**
   * The total time that one request may wait while the service limits requests. These waits do not
   * count as retries. Without it, a limited request is retried `maxRetries` times.
   */
  readonly limitPatience?: LimitPatience;
  /** For tests: skips the waits and fixes the jitter. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface LimitPatience {
  readonly mostMs: number;
  readonly onWait?: (seconds: number) => void;
}

export interface CallOptions {
  /** Whether the caller declares the request repeatable, so that it is retried like a GET. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
