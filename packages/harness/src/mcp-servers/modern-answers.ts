/** Answers of a hand-made server of protocol 2026-07-28, for `startFakeMcpServer`. */
import { type FakeAnswer, rpcError, sendJson } from './fake-mcp-server.ts';

type Json = Record<string, unknown>;

export const modernRevision = '2026-07-28';

export interface ModernAnswers {
  readonly tools?: readonly Json[];
  /** Replaces fields of every result; undefined removes a field. */
  readonly fields?: Json;
  readonly capabilities?: Json;
  /** Whether the handshake of the legacy era is refused (default: true). */
  readonly refusesLegacy?: boolean;
}

export function modernAnswers({
  tools = [{ name: 'echo', inputSchema: { type: 'object' } }],
  fields = {},
  capabilities = { tools: {} },
  refusesLegacy = true,
}: ModernAnswers = {}): Record<string, FakeAnswer> {
  const complete = { resultType: 'complete', ...fields };
  const cached = { ttlMs: 0, cacheScope: 'private', ...complete };
  return {
    'server/discover': discovery({
      supportedVersions: [modernRevision],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } },
      ...cached,
    }),
    'tools/list': { tools, ...cached },
    'tools/call': { content: [{ type: 'text', text: 'done' }], ...complete },
    'prompts/list': { prompts: [], ...cached },
    'resources/list': { resources: [], ...cached },
    'resources/templates/list': { resourceTemplates: [], ...cached },
    ...(refusesLegacy && { initialize: unsupportedVersion() }),
  };
}

/** Refuses other revisions than the modern one, as the specification prescribes. */
export function discovery(result: Json, refuse = unsupportedVersion()): FakeAnswer {
  return (response, request) => {
    const { _meta } = (request.message['params'] ?? {}) as { _meta?: Json };
    const asked = _meta?.['io.modelcontextprotocol/protocolVersion'];
    if (asked === modernRevision) {
      sendJson(response, { jsonrpc: '2.0', id: request.message['id'], result });
    } else if (typeof refuse === 'function') refuse(response, request);
  };
}

export function unsupportedVersion(
  data: Json | undefined = { supported: [modernRevision] },
  code = -32_022,
): FakeAnswer {
  return (response, request) => {
    const { error, ...others } = rpcError(request, code, 'Unsupported protocol version');
    sendJson(response, { ...others, error: { ...(error as Json), data } }, 400);
  };
}
