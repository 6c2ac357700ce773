export interface ClientOptions {
  /** Where the service is, without the API's own path: `http://127.0.0.1:3300`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Headers for every request, read anew each time: the console's CSRF token, say. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  /** How often a refused or failed request may be tried again where that is safe. Default 3. */
  readonly maxRetries?: number;
  /**
   * Waits until the service takes requests again where it limits them, for so long in all of one request; these waits are
   * no retries. Without it a request that is limited is tried again `maxRetries` times.
   */
  readonly limitPatience?: LimitPatience;
  /** A test's way to skip the waiting and to fix the jitter. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

export interface LimitPatience {
  readonly mostMs: number;
  readonly onWait?: (seconds: number) => void;
}

export interface CallOptions {
  /** The caller knows that doing it twice does no harm: it is sent again as a GET would be. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}
