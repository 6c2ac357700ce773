import * as client from 'openid-client';
import { OidcRefused } from './oidc-refused.ts';

/**
 * Creates the sign-in with an OpenID Connect provider: authorization code with PKCE, state and
 * nonce. An ID token is accepted only with a valid signature by the provider's keys, the right
 * issuer, our client as audience, and the nonce of this sign-in. A provider without TLS is accepted
 * only on loopback and only if the settings allow it; the same rule applies to every address in the
 * provider's metadata.
 */
export function createOidc(settings: OidcSettings, fetch: typeof globalThis.fetch): Oidc {
  checkSettings(settings);
  let known: Promise<client.Configuration> | undefined;
  const configuration = () => {
    known ??= discover(settings, fetch).catch((error: unknown) => {
      // Failed metadata is not cached, so that the next sign-in fetches the metadata again.
      known = undefined;
      throw explain(error, 'PROVIDER_UNAVAILABLE');
    });
    return known;
  };
  return {
    async begin() {
      const transaction: OidcTransaction = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: settings.redirectUri,
        scope: 'openid email profile',
        state: transaction.state,
        nonce: transaction.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(transaction.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, transaction };
    },
    async finish(callbackUrl, transaction) {
      const config = await configuration();
      try {
        return await identityOf(config, callbackOf(settings, callbackUrl), transaction);
      } catch (error) {
        throw explain(error, 'NOT_TRUSTED');
      }
    },
  };
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly redirectUri: string;
  /** True to accept an issuer over http, which must be on a loopback address (default: false). */
  readonly allowInsecureIssuer?: boolean;
}

/**
 * The caller must store this transaction between `begin` and `finish`, encrypted and protected
 * against changes. It is plain JSON.
 */
export interface OidcTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name?: string;
}

export interface Oidc {
  begin(): Promise<{ url: string; transaction: OidcTransaction }>;
  finish(callbackUrl: string, transaction: OidcTransaction): Promise<OidcIdentity>;
}

async function discover(
  settings: OidcSettings,
  fetch: typeof globalThis.fetch,
): Promise<client.Configuration> {
  const { clientSecret } = settings;
  const config = await client.discovery(
    new URL(settings.issuer),
    settings.clientId,
    undefined,
    clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      [client.customFetch]: (url, options) => fetch(url, options as RequestInit),
      // By default the library does not check the signature of the ID token but relies on TLS.
      // `enableNonRepudiationChecks` makes it check the signature.
      execute: settings.allowInsecureIssuer
        ? [client.allowInsecureRequests, client.enableNonRepudiationChecks]
        : [client.enableNonRepudiationChecks],
    },
  );
  const metadata = config.serverMetadata();
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    if (endpoint === undefined) throw new OidcRefused('PROVIDER_UNAVAILABLE');
  }
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint]) {
    if (endpoint !== undefined && !isAcceptable(endpoint, settings)) {
      throw new OidcRefused('PROVIDER_UNAVAILABLE');
    }
  }
  return config;
}

/**
 * Returns the registered address with the received query. Behind a proxy the received address
 * itself may differ from the registered one.
 */
function callbackOf(settings: OidcSettings, callbackUrl: string): URL {
  const callback = new URL(settings.redirectUri);
  callback.search = new URL(callbackUrl, settings.redirectUri).search;
  return callback;
}

async function identityOf(
  config: client.Configuration,
  callback: URL,
  transaction: OidcTransaction,
): Promise<OidcIdentity> {
  const tokens = await client.authorizationCodeGrant(config, callback, {
    expectedState: transaction.state,
    expectedNonce: transaction.nonce,
    pkceCodeVerifier: transaction.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new OidcRefused('NOT_TRUSTED');
  const hasUserinfo = config.serverMetadata().userinfo_endpoint !== undefined;
  // Some providers return the e-mail address only from the userinfo endpoint. The library checks
  // that the endpoint's answer is about the same subject.
  const person =
    claims['email'] === undefined && hasUserinfo
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  const { email, name } = person;
  if (typeof email !== 'string' || email === '') throw new OidcRefused('EMAIL_MISSING');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    emailVerified: person['email_verified'] === true,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}

function checkSettings(settings: OidcSettings): void {
  if (!isAcceptable(settings.issuer, settings)) {
    throw new OidcRefused(
      'SETTINGS',
      'The OIDC issuer must be an https URL; http is accepted only if both the issuer and the service are on loopback.',
    );
  }
  if (!URL.canParse(settings.redirectUri) || settings.clientId === '') {
    throw new OidcRefused('SETTINGS', 'OIDC needs a client id and a full redirect URL.');
  }
}

function isAcceptable(address: string, settings: OidcSettings): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return true;
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'http:' && isLoopback && settings.allowInsecureIssuer === true;
}

function explain(error: unknown, otherwise: 'PROVIDER_UNAVAILABLE' | 'NOT_TRUSTED'): OidcRefused {
  if (error instanceof OidcRefused) return error;
  const code = codeOf(error);
  if (error instanceof client.AuthorizationResponseError) {
    return new OidcRefused('DENIED', undefined, code);
  }
  if (error instanceof client.ResponseBodyError) {
    const isOurs = error.error === 'invalid_client';
    return new OidcRefused(isOurs ? 'SETTINGS' : otherwise, undefined, code);
  }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return new OidcRefused('SETTINGS', undefined, code);
  }
  // Only `OAUTH_` codes are findings of the library about the provider's answer. Any other error
  // means that the provider was not reached.
  const isFinding = error instanceof client.ClientError && code.startsWith('OAUTH_');
  const reason = isFinding && !providerTrouble.has(code) ? otherwise : 'PROVIDER_UNAVAILABLE';
  return new OidcRefused(reason, undefined, code);
}

const providerTrouble = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/**
 * Returns the error code. The library wraps errors of the guarded fetch, so the code may be that of
 * `error.cause`.
 */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const word = [code, reason].find((each) => typeof each === 'string');
  return typeof word === 'string' && /^[A-Z_]+$/.test(word) ? word : codeOf(error.cause);
}
