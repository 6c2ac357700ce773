/** What the address of a share link says, and what it becomes once the link was opened: then nothing in it lets anybody in. */
export interface ShareAddress {
  readonly slug: string;
  readonly opens: { readonly token: string } | { readonly scenarioId: string } | undefined;
  /** Of an invitation. It stands in the fragment, which no server and no referrer sees. */
  readonly invite?: string;
  /** Somebody of the project looks at their own link. */
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

/** A token is 43 characters of base 64; an id is shorter and says what it is. */
function whatOpens(text: string): ShareAddress['opens'] {
  return /^scn_[0-9a-z]{1,32}$/.test(text) ? { scenarioId: text } : { token: text };
}

export function openedAddress(
  { slug, isPreview }: Pick<ShareAddress, 'slug' | 'isPreview'>,
  scenarioId: string,
): string {
  return `/${room}/${slug === '' ? 'link' : slug}/${scenarioId}${isPreview ? '?preview' : ''}`;
}
