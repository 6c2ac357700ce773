/**
 * A one-time link carries its token behind `#`, which browsers send to nobody. It is taken out of
 * the address at once, so that it stays in no history and no copied address, and is held for one use.
 */
interface Page {
  readonly location: { readonly pathname: string; readonly search: string; readonly hash: string };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
}

let held: string | undefined;

export function keepSignInToken(page: Page): void {
  const { pathname, search, hash } = page.location;
  const token = pathname === '/sign-in' ? tokenIn(hash) : undefined;
  if (token === undefined) return;
  held = token;
  page.history.replaceState(page.history.state, '', pathname + search);
}

export function hasSignInToken(): boolean {
  return held !== undefined;
}

export function takeSignInToken(): string | undefined {
  const token = held;
  held = undefined;
  return token;
}

function tokenIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') || undefined;
}
