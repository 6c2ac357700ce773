/**
 * The address of a server as it is shown. What may be a secret in it is masked: user name and password, every value of
 * the query, and parts of the path that are long and mix letters and digits. The address itself is never changed: only
 * what is shown goes through here. A masked address that comes back stands for the one that is stored.
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

/** What the mask takes the place of, so that it can be found in other texts too. */
export function maskedPartsOf(text: string): string[] {
  const parts = partsOf(text);
  if (parts === null) return [];
  const [, , authority = '', path = '', query = ''] = parts;
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const segments = path.split(separator).filter(mayBeSecret);
  const values = pairsOf(query).map(({ name, value }) => value ?? (mayBeSecret(name) ? name : ''));
  return [...user.split(':'), ...segments, ...values].filter((part) => part !== '').flatMap(forms);
}

/** Whether a part of it is the mask itself, which is nobody's address. */
export function isMasked(text: string): boolean {
  const [, , authority = '', path = '', query = ''] = partsOf(text) ?? [];
  return (
    authority.startsWith(`${urlMask}@`) ||
    path.split(separator).includes(urlMask) ||
    pairsOf(query).some(({ name, value }) => (value ?? name) === urlMask)
  );
}

/** Readers of URLs take "https:h" and " https://h" for an address too; such a one is shown as they read it. */
function partsOf(text: string): RegExpExecArray | null {
  const isPlain = hasAuthority.test(text) || !URL.canParse(text);
  return urlParts.exec(isPlain ? text : new URL(text).href);
}

const hasAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\\s]/i;
/** A fragment is no part of what is shown: no server is ever sent one. */
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

/** As it is written, and as it is read. */
function forms(part: string): string[] {
  try {
    const read = decodeURIComponent(part.replaceAll('+', ' '));
    return read === part ? [part] : [part, read];
  } catch {
    return [part];
  }
}
