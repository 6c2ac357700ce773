/**
 * Parses the address of a share link. After opening the link, the page replaces the token in the
 * address by an id, so that a copied address admits nobody.
 */
export interface ShareAddress {
  readonly slug: string;
  readonly opens: { readonly token: string } | { readonly scenarioId: string } | undefined;
  /**
   * The token of an invitation. It is in the fragment of the address, which browsers send neither
   * to servers nor in the referrer.
   */
  readonly invite?: string;
  readonly isPreview: boolean;
}

export interface AddressParts {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

const shareSegment = 'user-testing';

export function readShareAddress({ pathname, search, hash }: AddressParts): ShareAddress {
  const [, first, slug = '', last = ''] = pathname.split('/');
  const invite = new URLSearchParams(hash.slice(1)).get('invite') ?? '';
  return {
    slug,
    opens: first === shareSegment && last !== '' ? whatOpens(last) : undefined,
    ...(invite !== '' && { invite }),
    isPreview: new URLSearchParams(search).has('preview'),
  };
}

/**
 * Text that starts with `scn_` is the id of a scenario, any other text a token. A token has 43
 * base64 characters and is longer than an id.
 */
function whatOpens(text: string): ShareAddress['opens'] {
  return /^scn_[0-9a-z]{1,32}$/.test(text) ? { scenarioId: text } : { token: text };
}

export function openedAddress(
  { slug, isPreview }: Pick<ShareAddress, 'slug' | 'isPreview'>,
  scenarioId: string,
): string {
  return `/${shareSegment}/${slug === '' ? 'link' : slug}/${scenarioId}${isPreview ? '?preview' : ''}`;
}
