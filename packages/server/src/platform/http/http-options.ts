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
  /** Of a bucket that ingestion has for itself; without one it takes from the same as all calls. */
  readonly ingestionRateLimit?: RateLimit | 'off' | undefined;
  /** Names by which the service may be addressed, beside addresses and localhost. */
  readonly hostNames: readonly string[];
  /** Where browsers see the service, when a proxy stands before it. */
  readonly publicUrl: string | undefined;
  /** Those whose X-Forwarded-For is believed; with none, every address may be that of a proxy. */
  readonly trustedProxies: readonly Network[];
  readonly metricsToken: string | undefined;
  /** Where others reach the service, a request from this machine may be one of theirs that a proxy passed on. */
  readonly metricsNeedToken: boolean;
  readonly oidc: Oidc | undefined;
  readonly pages: ReadonlyMap<string, Page>;
  /** Whether the data is being taken away from this process; what fails then is not its failure. */
  readonly isLettingGo?: () => boolean;
  /** Whether who follows something may be kept; always, where nobody says. */
  readonly mayFollow?: () => boolean;
  /** Of the database; absent where nobody looks. */
  readonly disk?: DiskState;
  /** Answers that were put together before. */
  readonly answerCache: AnswerCache;
}

export interface DiskState {
  /** Whether nothing that takes room should be written now. */
  readonly isFull: boolean;
  /** PostgreSQL said that it is full. */
  heard(): void;
}

/** What `http` and what it calls need of a logger; `main` supplies it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
