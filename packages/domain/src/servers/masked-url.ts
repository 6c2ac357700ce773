/**
 * The address of a server as it is displayed. Possible secrets are masked: user name and password,
 * every query value, and long path segments that mix letters and digits. If a client sends the
 * masked address back, the stored address stays.
 */
export const urlMask = '***';

export function maskUrl(text: string): string {
  const parts = partsOf(text);
  if (parts === null) return text;
  const [, scheme = '', authority = '', path = '', query = ''] = parts;
  const at = authority.lastIndexOf('@');
  const shownAuthority = at === -1 ? authority : `${urlMask}${authority.slice(at)}`;
  return `${scheme}${shownAuthority}${maskPath(path)}${maskQuery(query)}`;
}

/**
 * Returns the parts of an address that are masked, so that other texts can be searched for them.
 */
export function maskedPartsOf(text: string): string[] {
  const parts = partsOf(text);
  if (parts === null) return [];
  const [, , authority = '', path = '', query = ''] = parts;
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const segments = path.split(separator).filter(mayBeSecret);
  const values = pairsOf(query).map(({ name, value }) => value ?? (mayBeSecret(name) ? name : ''));
  return [...user.split(':'), ...segments, ...values].filter((part) => part !== '').flatMap(forms);
}

/** Returns whether a part of the address is the mask. The text is then not a real address. */
export function isMasked(text: string): boolean {
  const [, , authority = '', path = '', query = ''] = partsOf(text) ?? [];
  return (
    authority.startsWith(`${urlMask}@`) ||
    path.split(separator).includes(urlMask) ||
    pairsOf(query).some(({ name, value }) => (value ?? name) === urlMask)
  );
}

/**
 * Splits an address. URL parsers also accept "https:h" and " https://h"; such an address is split
 * in its parsed form.
 */
function partsOf(text: string): RegExpExecArray | null {
  const isPlain = hasAuthority.test(text) || !URL.canParse(text);
  return urlParts.exec(isPlain ? text : new URL(text).href);
}

const hasAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\\s]/i;
/** The parts of an address. The fragment is left out, since it is never sent to a server. */
const urlParts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)([^?#]*)(?:\?([^#]*))?/is;
const separator = /[/\\]/;
const shortestSecretSegment = 20;

function maskPath(path: string): string {
  return path.replace(/[^/\\]+/g, (segment) => (mayBeSecret(segment) ? urlMask : segment));
}

function maskQuery(query: string): string {
  if (query === '') return '';
  const shown = pairsOf(query).map(({ name, value }) => {
    if (value === undefined) return mayBeSecret(name) ? urlMask : name;
    return `${name}=${value === '' ? '' : urlMask}`;
  });
  return `?${shown.join('&')}`;
}

function pairsOf(query: string): { readonly name: string; readonly value: string | undefined }[] {
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at === -1
      ? { name: pair, value: undefined }
      : { name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

function mayBeSecret(segment: string): boolean {
  return segment.length >= shortestSecretSegment && /\p{L}/u.test(segment) && /\d/.test(segment);
}

function forms(part: string): string[] {
  try {
    const read = decodeURIComponent(part.replaceAll('+', ' '));
    return read === part ? [part] : [part, read];
  } catch {
    return [part];
  }
}
