export const authTypes = ['signedIn', 'guest'] as const;
export type AuthType = (typeof authTypes)[number];

export const recencies = ['new', 'returning'] as const;
export type Recency = (typeof recencies)[number];

export interface VisitorWords {
  readonly authType: AuthType;
  readonly recency: Recency;
  readonly name: string | null;
  /** The salted hash of the visitor's identity, in hexadecimal. */
  readonly hash: string;
}

export function segmentOf({ authType, recency }: Pick<VisitorWords, 'authType' | 'recency'>) {
  return `${authType}-${recency}` as const;
}

/**
 * Returns the visitor's name, but never an e-mail address. A visitor without a name, or with an
 * address as name, is shown as a guest.
 */
export function visitorNameOf({ name, hash }: Pick<VisitorWords, 'name' | 'hash'>): string {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' || trimmed.includes('@') ? `Guest ${hash.slice(0, 4)}` : trimmed;
}
