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
  /** The limit of a separate bucket for ingestion (default: the bucket of all calls). */
  readonly ingestionRateLimit?: RateLimit | 'off' | undefined;
  /** Accepted host names, in addition to addresses and localhost. */
  readonly hostNames: readonly string[];
  /** The address of the service in browsers, if it is behind a proxy. */
  readonly publicUrl: string | undefined;
  /**
   * Proxies whose X-Forwarded-For is trusted; if the list is empty, every address may be that of a
   * proxy.
   */
  readonly trustedProxies: readonly Network[];
  readonly metricsToken: string | undefined;
  /**
   * True if others can reach the service: a request from this machine may then have come through a
   * proxy.
   */
  readonly metricsNeedToken: boolean;
  readonly oidc: Oidc | undefined;
  readonly pages: ReadonlyMap<string, Page>;
  /**
   * Returns whether this process is releasing the data; a failure then is not an error of the
   * process.
   */
  readonly isLettingGo?: () => boolean;
  /** Returns whether followers may stay connected (default: always). */
  readonly mayFollow?: () => boolean;
  /** The disk of the database; undefined if it is not checked. */
  readonly disk?: DiskState;
  /** A cache of composed answers. */
  readonly answerCache: AnswerCache;
}

export interface DiskState {
  /** True if nothing that takes room should be written now. */
  readonly isFull: boolean;
  /** Records that PostgreSQL reported a full disk. */
  heard(): void;
}

/** The logger that `http` and the code it calls need; `main` supplies it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
