/**
 * Uses one protocol version and no other, like a client that knows only that one. Newer versions
 * are requested by a question before anything else, older ones by the handshake. A server that
 * answers with another version, or rejects this one, does not support it.
 */
import { type ClientOptions, ProtocolErrorCode, SdkError } from '@modelcontextprotocol/client';
import { unreachable } from './explain-mcp-error.ts';
import { McpFailure } from './mcp-failure.ts';

export function versionOptions(
  version: string,
): Pick<ClientOptions, 'supportedProtocolVersions' | 'versionNegotiation'> {
  // The version becomes a header, so only dates are accepted.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(version)) throw notAsked(version);
  return version < firstOfNewerKind
    ? { supportedProtocolVersions: [version], versionNegotiation: { mode: 'legacy' } }
    : { versionNegotiation: { mode: { pin: version } } };
}

/** Returns the failure unchanged, unless it means that the server does not support the version. */
export function explainPinned(version: string, error: unknown, failure: McpFailure): McpFailure {
  const { reason, mcpErrorCode } = failure.details;
  const isOtherVersion = reason === 'PROTOCOL_VERSION';
  const isRefused = mcpErrorCode === ProtocolErrorCode.UnsupportedProtocolVersion;
  // Older servers have no code for this error, so the message is searched.
  const isRefusedInWords = mcpErrorCode !== undefined && /protocol ?version/i.test(failure.message);
  const isUnanswered =
    reason === 'INVALID_RESPONSE' &&
    error instanceof SdkError &&
    error.message.startsWith('Version negotiation failed');
  const fits = isOtherVersion || isRefused || isRefusedInWords || isUnanswered;
  return fits ? notSpoken(version) : failure;
}

function notSpoken(version: string): McpFailure {
  const message = `The server does not support version ${version} of the protocol, the only version that the client supports.`;
  return unreachable('PROTOCOL_VERSION', message, { protocolVersion: version });
}

/** Returns the failure for a version that no server can support, so no request was sent. */
function notAsked(version: string): McpFailure {
  const { code, message, details } = notSpoken(version);
  return new McpFailure(code, message, details, false);
}

export const firstOfNewerKind = '2026-07-28';
