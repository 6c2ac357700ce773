/** A grant in the form that `mcp` needs, independent of its store. */
import type { ClientAuthentication } from '@proofmark/domain';

export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Absent if the grant cannot be renewed. */
  readonly renewal?: GrantRenewal;
  readonly scope: string | null;
  /** Grows with every renewal. */
  readonly revision: number;
  /** Whether these tokens came from a renewal and not from the import. */
  readonly renewed: boolean;
  readonly ageMs: number;
  readonly expiresInMs: number | null;
  readonly refreshingForMs: number;
  readonly failures: number;
  readonly refreshAgainInMs: number;
}

/**
 * The facts that were bound at the import. Nothing learned later changes where a secret is sent.
 */
export interface GrantRenewal {
  readonly tokenEndpoint: string;
  readonly clientAuthentication: ClientAuthentication;
  readonly clientId: string | null;
  readonly clientSecret?: string;
  readonly resource: string | null;
}

export interface RenewedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly lifetimeMs: number | null;
  readonly scope: string | null;
}

/** One import of one server. Each function is one short transaction in the database. */
export interface GrantStore {
  /** Identifies the renewals of one import. */
  readonly importId: string;
  /** Returns undefined if the grant is over or deleted, or another was imported in its place. */
  read(): Promise<Grant | undefined>;
  /**
   * Returns true for only one of all holders that try on this revision, until it has saved, failed
   * or run out of time.
   */
  takeLease(revision: number, holder: string, durationMs: number): Promise<boolean>;
  save(holder: string, tokens: RenewedTokens): Promise<void>;
  end(holder: string): Promise<void>;
  postpone(holder: string, pauseMs: number): Promise<void>;
}
