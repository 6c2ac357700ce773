/** Collects what the server stated in the handshake, unchanged. */

import { type Client, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client';
import { isRecord, type Json, legacyCapabilities } from '@proofmark/domain';
import { invalidAnswer } from './explain-mcp-error.ts';
import type { ServerInitInfo } from './mcp-gateway.ts';

export function initInfoOf(
  client: Client,
  transport: ServerInitInfo['transport'],
  results: ReadonlyMap<string, Json>,
  clientCapabilities: Json,
): ServerInitInfo {
  const protocolVersion = client.getNegotiatedProtocolVersion();
  if (protocolVersion === undefined) throw invalidAnswer();
  const result = results.get('initialize') ?? results.get('server/discover') ?? {};
  const meta = objectOf(result['_meta']) ?? {};
  const { instructions } = result;
  return {
    protocolVersion,
    transport,
    serverCapabilities: objectOf(result['capabilities']) ?? {},
    serverVersion: objectOf(result['serverInfo']) ?? objectOf(meta[SERVER_INFO_META_KEY]) ?? null,
    ...(typeof instructions === 'string' ? { instructions } : {}),
    clientCapabilities:
      client.getProtocolEra() === 'modern'
        ? clientCapabilities
        : legacyCapabilities(clientCapabilities),
  };
}

function objectOf(value: unknown): Json | undefined {
  return isRecord(value) ? value : undefined;
}
