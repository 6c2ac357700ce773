/** A grant as `mcp` needs it, wherever it is stored. */
import type { ClientAuthentication } from '@proofmark/domain';

export interface Grant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Absent where nothing can be renewed. */
  readonly renewal?: GrantRenewal;
  readonly scope: string | null;
  /** Grows with every renewal. */
  readonly revision: number;
  /** Whether these tokens came from a renewal, not from the import. */
  readonly renewed: boolean;
  readonly ageMs: number;
  readonly expiresInMs: number | null;
  readonly refreshingForMs: number;
  readonly failures: number;
  readonly refreshAgainInMs: number;
}

/** All that was bound at the import. Nothing learned later changes where a secret is sent. */
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

/** One import of one server. Each of these is one short piece of work in the database. */
export interface GrantStore {
  /** Tells the renewals of different imports apart. */
  readonly importId: string;
  /** Nothing when the grant is over, or gone, or another was imported in its place. */
  read(): Promise<Grant | undefined>;
  /** True for one of all who try on this revision, until it has saved, failed or run out of time. */
  takeLease(revision: number, holder: string, durationMs: number): Promise<boolean>;
  save(holder: string, tokens: RenewedTokens): Promise<void>;
  end(holder: string): Promise<void>;
  postpone(holder: string, pauseMs: number): Promise<void>;
}
