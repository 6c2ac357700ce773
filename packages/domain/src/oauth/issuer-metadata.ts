/**
 * The metadata of an authorization server (RFC 8414 and OpenID Connect Discovery). The document
 * must name the requested issuer; otherwise one issuer could impersonate another.
 */
import * as z from 'zod';
import { isCleanText } from './is-clean-text.ts';

const clientAuthentications = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

/**
 * Returns the possible addresses of an issuer's metadata, most likely first; none for an invalid
 * issuer.
 */
export function issuerMetadataAddresses(issuer: string): string[] {
  const url = issuerUrl(issuer);
  if (url === undefined) return [];
  const path = url.pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${url.origin}/.well-known/${name}${path}`,
  );
  return path === ''
    ? inserted
    : [...inserted, `${url.origin}${path}/.well-known/openid-configuration`];
}

export interface IssuerMetadata {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** The supported ways of client authentication; absent if the metadata does not list them. */
  readonly authentications?: readonly string[];
}

export function readIssuerMetadata(document: unknown, asked: string): IssuerMetadata | undefined {
  const parsed = IssuerDocument.safeParse(document);
  if (!parsed.success) return undefined;
  const { issuer, token_endpoint: tokenEndpoint } = parsed.data;
  const authentications = parsed.data.token_endpoint_auth_methods_supported ?? undefined;
  if (!sameIssuer(issuer, asked)) return undefined;
  const endpoint = callable(tokenEndpoint);
  // If the issuer uses https, its token endpoint must too, so that secrets are never sent
  // unencrypted.
  const isDowngrade = asked.startsWith('https:') && endpoint?.protocol !== 'https:';
  if (endpoint === undefined || isDowngrade) return undefined;
  return { issuer, tokenEndpoint, ...(authentications && { authentications }) };
}

/**
 * Chooses how the client authenticates. By the standard, an issuer that lists no methods accepts
 * the secret as basic authentication.
 */
export function clientAuthentication(
  hasSecret: boolean,
  supported: readonly string[] | undefined,
): ClientAuthentication {
  if (!hasSecret) return 'none';
  if (supported === undefined || supported.length === 0) return 'client_secret_basic';
  const order = ['client_secret_basic', 'client_secret_post', 'none'] as const;
  return order.find((way) => supported.includes(way)) ?? 'client_secret_post';
}

function sameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function issuerUrl(issuer: string): URL | undefined {
  const url = callable(issuer);
  return url === undefined || url.search !== '' ? undefined : url;
}

function callable(text: string): URL | undefined {
  const url = isCleanText(text) && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.hash === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url : undefined;
}

const IssuerDocument = z.object({
  issuer: z.string().max(2048).refine(isCleanText),
  token_endpoint: z.string().max(2048),
  token_endpoint_auth_methods_supported: z.array(z.string().max(256)).max(100).nullish(),
});
