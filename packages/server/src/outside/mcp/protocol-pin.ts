/**
 * Uses only one protocol version, like a client that supports no other. Newer versions are
 * requested by a discovery request before anything else, older ones by the handshake. A server that
 * answers with another version or rejects this one does not support it.
 */
import { type ClientOptions, ProtocolErrorCode, SdkError } from '@modelcontextprotocol/client';
import { isModernRevision } from '@proofmark/domain';
import { unreachable } from './explain-mcp-error.ts';
import { McpFailure } from './mcp-failure.ts';

export function versionOptions(
  version: string,
): Pick<ClientOptions, 'supportedProtocolVersions' | 'versionNegotiation'> {
  // The version is sent as a header, so only the form of a date is accepted.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(version)) throw notAsked(version);
  return !isModernRevision(version)
    ? { supportedProtocolVersions: [version], versionNegotiation: { mode: 'legacy' } }
    : { versionNegotiation: { mode: { pin: version } } };
}

/**
 * If the error means that the server does not support the version, returns a failure that says so.
 * Returns `failure` for any other error.
 */
export function explainPinned(version: string, error: unknown, failure: McpFailure): McpFailure {
  const { reason, mcpErrorCode } = failure.details;
  const isOtherVersion = reason === 'PROTOCOL_VERSION';
  const isRefused = mcpErrorCode === ProtocolErrorCode.UnsupportedProtocolVersion;
  // Older servers have no error code for this, so the text of the error decides.
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

/**
 * The failure for a version that is not a valid date. No request was sent, so `answered` is false.
 */
function notAsked(version: string): McpFailure {
  const { code, message, details } = notSpoken(version);
  return new McpFailure(code, message, details, false);
}
