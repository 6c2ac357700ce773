/**
 * Finds the authorization server that renews the tokens of an MCP server. This happens once, at the
 * import, and never changes afterwards. The server names its metadata document in its 401 response
 * or serves it at a well-known address; older servers have no such document and are their own
 * issuer. Every request follows the egress policy and is sent without credentials.
 */
import {
  type IssuerMetadata,
  issuerMetadataAddresses,
  type ResourceMetadata,
  readIssuerMetadata,
  readResourceMetadata,
  resourceMetadataAddresses,
  resourceMetadataHint,
} from '@proofmark/domain';
import { EgressRefused } from '../../egress/egress-refused.ts';
import { McpFailure } from '../mcp-failure.ts';
import { readSmallJson } from './read-small-json.ts';

export interface FoundIssuer extends IssuerMetadata {
  /**
   * The `resource` value of the server's protected-resource metadata. Null if there is no metadata.
   */
  readonly resource: string | null;
}

export interface DiscoveryDependencies {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

export async function discoverIssuer(
  dependencies: DiscoveryDependencies,
  serverUrl: string,
  declaredResource: string | null,
): Promise<FoundIssuer> {
  const signal = AbortSignal.any([dependencies.signal, AbortSignal.timeout(totalMs)]);
  const asking = { fetch: dependencies.fetch, signal };
  const resource = await findResource(asking, serverUrl, declaredResource);
  const issuers = resource?.issuers.length ? resource.issuers : [new URL(serverUrl).origin];
  for (const issuer of issuers.slice(0, maxIssuers)) {
    for (const address of issuerMetadataAddresses(issuer)) {
      const metadata = readIssuerMetadata(await fetchDocument(asking, address), issuer);
      if (metadata) return { ...metadata, resource: resource?.resource ?? null };
    }
  }
  return notFound(
    'No authorization server that could renew these tokens was found for this server; import them without the refresh token, or check the server’s OAuth metadata.',
  );
}

async function findResource(
  dependencies: DiscoveryDependencies,
  serverUrl: string,
  declared: string | null,
): Promise<ResourceMetadata | undefined> {
  const hint = await askForHint(dependencies, serverUrl);
  const addresses = hint === undefined ? resourceMetadataAddresses(serverUrl) : [hint];
  for (const address of addresses) {
    const document = await fetchDocument(dependencies, address);
    const reading = readResourceMetadata(document, serverUrl, declared);
    if (reading.kind === 'read') return reading.metadata;
    if (reading.kind === 'anotherResource') {
      return notFound(
        'The server’s OAuth metadata is for another resource, so nothing is sent to the issuer that it names.',
      );
    }
  }
  if (hint === undefined) return undefined;
  return notFound('The server names OAuth metadata that cannot be read; check its address.');
}

/**
 * Sends a ping and reads the metadata URL from the 401 response. A ping is used, because it opens
 * no session if the server requires no authorization.
 */
async function askForHint(
  dependencies: DiscoveryDependencies,
  serverUrl: string,
): Promise<string | undefined> {
  const response = await guarded(dependencies, serverUrl, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response?.body?.cancel().catch(() => undefined);
  return resourceMetadataHint(response?.headers.get('www-authenticate') ?? null);
}

async function fetchDocument(
  dependencies: DiscoveryDependencies,
  address: string,
): Promise<unknown> {
  const response = await guarded(dependencies, address, {
    headers: { accept: 'application/json' },
  });
  if (response?.ok) return readSmallJson(response).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
  return undefined;
}

/**
 * Sends a request. Returns undefined if there is no answer. A blocked address or a timeout throws,
 * which ends the discovery.
 */
async function guarded(
  { fetch, signal }: DiscoveryDependencies,
  address: string,
  init: RequestInit,
): Promise<Response | undefined> {
  try {
    return await fetch(address, { ...init, signal });
  } catch (error) {
    if (signal.aborted) {
      throw new McpFailure('TIMEOUT', 'The OAuth metadata of this server did not arrive in time.');
    }
    if (error instanceof EgressRefused && error.reason === 'EGRESS_BLOCKED') {
      throw new McpFailure('SERVER_UNREACHABLE', error.message, { reason: error.reason });
    }
    return undefined;
  }
}

function notFound(message: string): never {
  throw new McpFailure('SERVER_UNREACHABLE', message, { reason: 'ISSUER_NOT_FOUND' });
}

const totalMs = 20_000;
const maxIssuers = 3;
