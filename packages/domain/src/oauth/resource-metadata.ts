/**
 * The authorization servers that an MCP server trusts (RFC 9728). A metadata document about another
 * resource is ignored.
 */
import * as z from 'zod';
import { isCleanText } from './is-clean-text.ts';

/** Returns undefined if the `WWW-Authenticate` header has no valid address. */
export function resourceMetadataHint(wwwAuthenticate: string | null): string | undefined {
  const found = wwwAuthenticate?.slice(0, 8192).match(hint);
  const address = found?.[1] ?? found?.[2];
  return address !== undefined && URL.canParse(address) ? address : undefined;
}

/** Returns the well-known addresses to try, first the one that contains the server's path. */
export function resourceMetadataAddresses(serverUrl: string): string[] {
  const { origin, pathname } = new URL(serverUrl);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = withoutEndSlash(pathname);
  return path === '' ? [root] : [`${root}${path}`, root];
}

export interface ResourceMetadata {
  readonly resource: string;
  readonly issuers: readonly string[];
}

export type ResourceMetadataReading =
  | { readonly kind: 'read'; readonly metadata: ResourceMetadata }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'anotherResource' };

/**
 * `declared` is the resource stored with the saved server, which may differ from the server's
 * address.
 */
export function readResourceMetadata(
  document: unknown,
  serverUrl: string,
  declared: string | null,
): ResourceMetadataReading {
  const parsed = ResourceDocument.safeParse(document);
  if (!parsed.success) return { kind: 'malformed' };
  const { resource } = parsed.data;
  const issuers = parsed.data.authorization_servers ?? [];
  if (!URL.canParse(resource)) return { kind: 'malformed' };
  const isDeclared = declared !== null && sameAddress(declared, resource);
  if (!isDeclared && !covers(resource, serverUrl)) return { kind: 'anotherResource' };
  return { kind: 'read', metadata: { resource, issuers } };
}

/** Whether an address has the resource's origin and lies at or below the resource's path. */
function covers(resource: string, address: string): boolean {
  const whole = new URL(resource);
  const part = new URL(address);
  if (whole.origin !== part.origin || whole.origin === 'null') return false;
  const path = withoutEndSlash(whole.pathname);
  return part.pathname === path || part.pathname.startsWith(`${path}/`);
}

function sameAddress(one: string, other: string): boolean {
  const plain = (text: string) => withoutEndSlash(new URL(text).href);
  return URL.canParse(one) && plain(one) === plain(other);
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const hint = /\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))/i;

const ResourceDocument = z.object({
  resource: z.string().max(2048).refine(isCleanText),
  authorization_servers: z.array(z.string().max(2048)).max(100).nullish(),
});
