/**
 * The token of a one-time link, from the part of the address after `#`, which browsers do not send.
 * It is removed from the address immediately, so that no history or copied address contains it. An
 * invitation token is kept until it is accepted, because the user may have to sign in first.
 */
interface Page {
  readonly location: { readonly pathname: string; readonly search: string; readonly hash: string };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
}

type LinkPath = '/sign-in' | '/invitation';

const held: Record<LinkPath, string | undefined> = {
  '/sign-in': undefined,
  '/invitation': undefined,
};

export function keepSignInToken(page: Page): void {
  const { pathname, search, hash } = page.location;
  const token = isLinkPath(pathname) ? tokenIn(hash) : undefined;
  if (token === undefined) return;
  held[pathname as LinkPath] = token;
  page.history.replaceState(page.history.state, '', pathname + search);
}

export function hasSignInToken(): boolean {
  return held['/sign-in'] !== undefined;
}

export function takeSignInToken(): string | undefined {
  const token = held['/sign-in'];
  held['/sign-in'] = undefined;
  return token;
}

export function heldInvitation(): string | undefined {
  return held['/invitation'];
}

export function dropInvitation(): void {
  held['/invitation'] = undefined;
}

function isLinkPath(pathname: string): pathname is LinkPath {
  return Object.hasOwn(held, pathname);
}

function tokenIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') || undefined;
}
