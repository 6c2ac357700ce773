import type { RateLimit } from '@proofmark/domain';
import type { Oidc } from '../accounts/oidc/oidc.ts';
import type { Database } from '../database/database.ts';
import type { AnswerCache } from '../operations/answer-cache.ts';
import type { Network } from './client-address.ts';
import type { Metrics } from './metrics.ts';
import type { Page } from './pages.ts';

export interface HttpOptions {
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly rateLimit: RateLimit | 'off';
  /**
   * The limit of a separate bucket for ingestion (default: ingestion shares the bucket of all
   * calls).
   */
  readonly ingestionRateLimit?: RateLimit | 'off' | undefined;
  /** Host names that requests may use, in addition to IP addresses and localhost. */
  readonly hostNames: readonly string[];
  /** The address at which browsers reach the service; needed if the service is behind a proxy. */
  readonly publicUrl: string | undefined;
  /**
   * Proxies whose X-Forwarded-For header is trusted. If the list is empty, any address may be that
   * of an unlisted proxy.
   */
  readonly trustedProxies: readonly Network[];
  readonly metricsToken: string | undefined;
  /**
   * True if other machines can reach the service. A request from this machine may then have come
   * through a proxy, so metrics need the token.
   */
  readonly metricsNeedToken: boolean;
  readonly oidc: Oidc | undefined;
  readonly pages: ReadonlyMap<string, Page>;
  /**
   * Returns whether this process is releasing the lock on the data, because a restore waits for it.
   * A request that fails during the release is not logged as an error of the process.
   */
  readonly isLettingGo?: () => boolean;
  /** Returns whether callers who follow a run may stay connected (default: always). */
  readonly mayFollow?: () => boolean;
  /** The state of the database's disk; undefined if it is not checked. */
  readonly disk?: DiskState;
  readonly answerCache: AnswerCache;
}

export interface DiskState {
  /** True if no write that takes up disk space is allowed now. */
  readonly isFull: boolean;
  reportFull(): void;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
