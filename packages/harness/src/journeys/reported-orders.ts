/**
 * Trials of a small order desk in the format of an external reporter: one passes, one fails at
 * selection, one at response.
 */
const spans = [
  {
    id: 'connect',
    name: 'initialize',
    category: 'connection',
    startMs: 0,
    endMs: 12,
    status: 'ok',
  },
  { id: 'list', name: 'tools/list', category: 'discovery', startMs: 12, endMs: 20, status: 'ok' },
  { id: 'model', name: 'first answer', category: 'llm', startMs: 20, endMs: 160, status: 'ok' },
];
const email = 'customer@example.com';

const named = {
  model: 'small-1',
  provider: 'local',
  tokens: { input: 310, output: 44, total: 354 },
};

export const tracked = {
  ...named,
  caseTitle: 'Track a parcel',
  caseId: 'track-parcel',
  passed: true,
  query: 'Where is parcel 7?',
  expectedToolCalls: [{ toolName: 'track', arguments: { parcel: 7 } }],
  actualToolCalls: [{ toolName: 'track', arguments: { parcel: 7 } }],
  durationMs: 190,
  trace: { messages: [{ role: 'user', content: 'Where is parcel 7?' }], spans },
};

export const confused = {
  ...named,
  caseTitle: 'Find an order by e-mail',
  caseId: 'find-order',
  passed: false,
  query: `Find the order of ${email}.`,
  expectedToolCalls: [{ toolName: 'search_orders', arguments: { email } }],
  actualToolCalls: [{ toolName: 'search_customers', arguments: { query: email } }],
  error: 'The model called search_customers in place of search_orders.',
  durationMs: 212,
  trace: {
    messages: [
      { role: 'user', content: `Find the order of ${email}.` },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolName: 'search_customers', input: { query: email } }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolName: 'search_customers', output: { customers: [] } }],
      },
      { role: 'assistant', content: 'I found no order.' },
    ],
    spans: [
      ...spans,
      {
        id: 'call-1',
        name: 'search_customers',
        toolName: 'search_customers',
        category: 'tool',
        startMs: 160,
        endMs: 212,
        status: 'ok',
        promptIndex: 0,
      },
    ],
    prompts: [
      {
        promptIndex: 0,
        prompt: `Find the order of ${email}.`,
        expectedToolCalls: [{ toolName: 'search_orders', arguments: { email } }],
        actualToolCalls: [{ toolName: 'search_customers', arguments: { query: email } }],
        missing: [{ toolName: 'search_orders', arguments: { email } }],
        unexpected: [{ toolName: 'search_customers', arguments: { query: email } }],
        argumentMismatches: [],
        passed: false,
      },
    ],
    steps: [
      { id: 'ask', kind: 'prompt', status: 'passed' },
      { id: 'found', kind: 'assert', status: 'failed', reason: 'search_orders was not called.' },
    ],
  },
};

export const refused = {
  ...named,
  caseTitle: 'Refund a shipped order',
  caseId: 'refund',
  passed: false,
  query: 'Refund order 1041.',
  expectedToolCalls: [{ toolName: 'refund', arguments: { orderId: 1041, reason: 'late' } }],
  actualToolCalls: [{ toolName: 'refund', arguments: { orderId: 1041, reason: 'too late' } }],
  error: 'The server reported: payment provider timeout',
  durationMs: 498,
  trace: {
    messages: [
      { role: 'user', content: 'Refund order 1041.' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'c1', toolName: 'refund', input: { orderId: 1041 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'refund',
            output: {
              type: 'json',
              value: {
                isError: true,
                content: [{ type: 'text', text: 'payment provider timeout' }],
              },
            },
          },
        ],
      },
    ],
    spans: [
      ...spans,
      {
        id: 'call-7',
        name: 'refund',
        toolName: 'refund',
        category: 'tool',
        startMs: 160,
        endMs: 498,
        status: 'ok',
        promptIndex: 0,
      },
    ],
    prompts: [
      {
        promptIndex: 0,
        prompt: 'Refund order 1041.',
        expectedToolCalls: [{ toolName: 'refund', arguments: { orderId: 1041 } }],
        actualToolCalls: [{ toolName: 'refund', arguments: { orderId: 1041 } }],
        missing: [],
        unexpected: [],
        argumentMismatches: [],
        passed: true,
      },
    ],
  },
};

/** Never graded, so the trial proves nothing about the server. */
export const broken = {
  ...named,
  caseTitle: 'Cancel is refused politely',
  caseId: 'cancel',
  status: 'timed_out',
};
