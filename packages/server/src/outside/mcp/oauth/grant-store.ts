/** An OAuth grant, independent of how it is stored. */
import type { ClientAuthentication } from '@proofmark/domain';

export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** What is needed for a renewal. Absent if the grant cannot be renewed. */
  readonly renewal?: GrantRenewal;
  readonly scope: string | null;
  /** A number that grows with every renewal. */
  readonly revision: number;
  /** Whether these tokens come from a renewal, not from the import. */
  readonly renewed: boolean;
  readonly ageMs: number;
  readonly expiresInMs: number | null;
  readonly refreshingForMs: number;
  readonly failures: number;
  readonly refreshAgainInMs: number;
}

/**
 * The data that was fixed at the import. Nothing discovered later can change where a secret is
 * sent.
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

/**
 * The stored grant of one import for one server. Each function is one short transaction in the
 * database.
 */
export interface GrantStore {
  /** The id of the import. Calls in one process with the same id share a renewal. */
  readonly importId: string;
  /** Returns undefined if the grant has ended, was deleted, or was replaced by another import. */
  read(): Promise<Grant | undefined>;
  /**
   * Returns true if this holder may renew the given revision. Other holders get false until this
   * one has called `save`, `end` or `postpone`, or the lease has expired.
   */
  takeLease(revision: number, holder: string, durationMs: number): Promise<boolean>;
  save(holder: string, tokens: RenewedTokens): Promise<void>;
  end(holder: string): Promise<void>;
  postpone(holder: string, pauseMs: number): Promise<void>;
}
