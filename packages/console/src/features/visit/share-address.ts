/**
 * Parses the address of a share link, and returns the address to show after opening, which admits
 * nobody.
 */
export interface ShareAddress {
  readonly slug: string;
  readonly opens: { readonly token: string } | { readonly scenarioId: string } | undefined;
  /**
   * The token of an invitation. It is in the fragment, which browsers send neither to servers nor
   * as a referrer.
   */
  readonly invite?: string;
  /** Whether a member of the project previews the link. */
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
 * Returns whether the text is a token or an id. A token has 43 base64 characters; an id is shorter
 * and starts with its kind.
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
