/**
 * Parses the address of a share link. After opening, the page shows another address, which admits
 * nobody, so that copying it gives nothing away.
 */
export interface ShareAddress {
  readonly slug: string;
  readonly opens: { readonly token: string } | { readonly scenarioId: string } | undefined;
  /**
   * The token of an invitation. It is in the fragment of the address, which browsers send neither
   * to servers nor in the referrer.
   */
  readonly invite?: string;
  /** Whether this visit is a preview by a member of the project. */
  readonly isPreview: boolean;
}

export interface AddressParts {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const room = 'user-testing';

export function readShareAddress({ pathname, search, hash }: AddressParts): ShareAddress {
  const [, first, slug = '', last = ''] = pathname.split('/');
  const invite = new URLSearchParams(hash.slice(1)).get('invite') ?? '';
  return {
    slug,
    opens: first === room && last !== '' ? whatOpens(last) : undefined,
    ...(invite !== '' && { invite }),
    isPreview: new URLSearchParams(search).has('preview'),
  };
}

/**
 * Returns whether the address contains an id or a token. An id starts with `scn_` and is shorter
 * than a token, which has 43 base64 characters.
 */
function whatOpens(text: string): ShareAddress['opens'] {
  return /^scn_[0-9a-z]{1,32}$/.test(text) ? { scenarioId: text } : { token: text };
}

export function openedAddress(
  { slug, isPreview }: Pick<ShareAddress, 'slug' | 'isPreview'>,
  scenarioId: string,
): string {
  return `/${room}/${slug === '' ? 'link' : slug}/${scenarioId}${isPreview ? '?preview' : ''}`;
}
