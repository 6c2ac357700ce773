/** Hand-made servers of one era or of both, with tools that clients must hide. */
import {
  type FakeAnswer,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  type ModernAnswers,
  modernAnswers,
} from '@proofmark/harness/mcp-servers/modern-answers.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import type { ServerStart } from '../situation.ts';

export const region = (header: unknown) => ({
  type: 'object',
  properties: { city: { type: 'string', 'x-mcp-header': header } },
  required: ['city'],
});
export const hidden = {
  name: 'weather',
  description: 'The weather in a city.',
  inputSchema: region('My City'),
};
export const shown = {
  name: 'forecast',
  description: 'The weather of tomorrow in a city.',
  inputSchema: region('City'),
};

/** Speaks the modern revision over HTTP. Its tools answer with the header that they got. */
export function modernFake({ tools = [hidden, shown], ...more }: ModernAnswers = {}): ServerStart {
  return () => {
    const answers = modernAnswers({ tools, ...more });
    return startFakeMcpServer({ ...answers, 'tools/call': tellsHeader(more.fields) });
  };
}

/** The same list from a server that speaks only the legacy era, where the header has no meaning. */
export function legacyFake(): ServerStart {
  return () => startFakeMcpServer({ 'tools/list': { tools: [hidden, shown] } });
}

/** The modern requests are answered as in the legacy era: without the fields that are new. */
export function oldShape(): ServerStart {
  return modernFake({ tools: [shown], fields: oldFields });
}

export function onlyModern(): ServerStart {
  return (fixture) => fixture.shared('only modern', () => startModernServer({ onlyModern: true }));
}

function tellsHeader(fields: Record<string, unknown> = {}): FakeAnswer {
  return (response, request) => {
    const header = request.headers['mcp-param-city'] ?? 'no header';
    const content = [{ type: 'text', text: `It is sunny: ${String(header)}.` }];
    const result = { resultType: 'complete', ...fields, content };
    sendJson(response, { jsonrpc: '2.0', id: request.message['id'], result });
  };
}

const oldFields = { resultType: undefined, ttlMs: undefined, cacheScope: undefined };
