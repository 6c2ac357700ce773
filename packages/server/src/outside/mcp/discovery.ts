/**
 * The answer to `server/discover`, with which a session opens. An error that exists only in the
 * newer era ends the handshake. Any other answer of no use leads back to `initialize`, since
 * servers of the older era do not know the request.
 */
import {
  firstModernRevision,
  isModernRevision,
  isRecord,
  type Json,
  leadsBackToInitialize,
  unsupportedVersionCode,
} from '@proofmark/domain';
import { ofRpcError, unreachable } from './explain-mcp-error.ts';
import { McpFailure } from './mcp-failure.ts';
import { withMissingAbility } from './missing-ability.ts';
import type { Secrets } from './secrets.ts';

export interface DiscoverError {
  readonly code: number;
  readonly message?: unknown;
  readonly data?: unknown;
}

export const discovering = 'server/discover';

/** Returns the failure that ends the handshake; undefined if the library continues it. */
export function refusalOfDiscovery(
  { code, message, data }: DiscoverError,
  declared: Json,
  secrets: Secrets,
): McpFailure | undefined {
  if (leadsBackToInitialize(code)) return undefined;
  if (code === unsupportedVersionCode) return refusedVersion(data, secrets);
  const failure = ofRpcError({ code, message: textOf(message), data }, secrets);
  const named = withMissingAbility({ declared, lacked: new Set() }, failure);
  return named instanceof McpFailure ? named : failure;
}

/** The library itself asks for another version of the newer era, or reports that it knows none. */
function refusedVersion(data: unknown, secrets: Secrets): McpFailure | undefined {
  const listed = isRecord(data) && Array.isArray(data['supported']) ? data['supported'] : [];
  const supported = listed.filter((version): version is string => typeof version === 'string');
  if (supported.some(isModernRevision)) return undefined;
  const named =
    supported.length === 0 ? 'names no other' : `names only ${secrets.quote(supported.join(', '))}`;
  return unreachable(
    'PROTOCOL_VERSION',
    `The server refused version ${firstModernRevision} of the protocol with the error ${unsupportedVersionCode} and ${named}. After that error, a client may not go back to \`initialize\`.`,
  );
}

/** Returns whether the session may be opened again with `initialize` alone. */
export function mayLeadBack(error: unknown): boolean {
  if (!(error instanceof McpFailure)) return false;
  const { reason, status, retryAfterSeconds, mcpErrorCode } = error.details;
  if (typeof mcpErrorCode === 'number') return leadsBackToInitialize(mcpErrorCode);
  if (reason === 'INVALID_RESPONSE') return true;
  return typeof status === 'number' && status >= 500 && retryAfterSeconds === undefined;
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : '';
}
