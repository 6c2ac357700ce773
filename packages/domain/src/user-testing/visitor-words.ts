/** How a visitor is called where their sessions are read. */
export const authTypes = ['signedIn', 'guest'] as const;
export type AuthType = (typeof authTypes)[number];

export const recencies = ['new', 'returning'] as const;
export type Recency = (typeof recencies)[number];

export interface VisitorWords {
  readonly authType: AuthType;
  readonly recency: Recency;
  /** Of the member or the account, where they have one. */
  readonly name: string | null;
  /** Of their identity, salted; hexadecimal. */
  readonly hash: string;
}

export function segmentOf({ authType, recency }: Pick<VisitorWords, 'authType' | 'recency'>) {
  return `${authType}-${recency}` as const;
}

/** Never an address: who has no name but one, or none at all, is a guest. */
export function visitorNameOf({ name, hash }: Pick<VisitorWords, 'name' | 'hash'>): string {
  const said = name?.trim() ?? '';
  return said === '' || said.includes('@') ? `Guest ${hash.slice(0, 4)}` : said;
}
