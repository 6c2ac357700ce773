import {
  answered,
  call,
  destructive,
  fresh,
  type KindTable,
  listed,
  lists,
  mild,
  object,
  observes,
  old,
  saw,
} from './seen.fixture.ts';

export const callKinds: KindTable = {
  toolCallCountUnder: [
    [{ count: 1 }, saw(), 'holds'],
    [{ count: 2 }, saw(call('a')), 'holds'],
    [{ count: 2 }, saw(call('a'), call('b')), 'fails'],
    [{ count: 2, toolName: 'a' }, saw(call('a'), call('b')), 'holds'],
    [{ count: 1, toolName: 'a' }, saw(call('a', { notMade: 'denied' })), 'fails'],
    [{ count: 1, serverName: 'S' }, saw(call('a', { serverName: 'T' })), 'holds'],
    [{ count: 1, serverName: 'S' }, saw(call('a', { serverName: 'S' })), 'fails'],
  ],
  toolCalledBefore: [
    [{ toolName: 'a', beforeToolName: 'b' }, saw(), 'holds'],
    [{ toolName: 'a', beforeToolName: 'b' }, saw(call('a')), 'holds'],
    [{ toolName: 'a', beforeToolName: 'b' }, saw(call('a'), call('b'), call('b')), 'holds'],
    [{ toolName: 'a', beforeToolName: 'b' }, saw(call('b'), call('a'), call('b')), 'fails'],
    [{ toolName: 'a', beforeToolName: 'b' }, saw(call('b')), 'fails'],
    [
      { toolName: 'a', beforeToolName: 'b' },
      saw(call('a', { notMade: 'denied' }), call('b')),
      'fails',
    ],
    [{ toolName: 'a', beforeToolName: 'b' }, saw(call('b', { notMade: 'denied' })), 'fails'],
    [
      { toolName: 'a', serverName: 'S', beforeToolName: 'b' },
      saw(call('a', { serverName: 'T' }), call('b')),
      'fails',
    ],
    [
      { toolName: 'a', beforeToolName: 'b', beforeServerName: 'S' },
      saw(call('b', { serverName: 'T' })),
      'holds',
    ],
  ],
  noDestructiveToolCalled: [
    [{}, saw(), 'holds'],
    [{}, lists([destructive, mild], call('read')), 'holds'],
    [{}, lists([destructive, mild], call('read'), call('drop')), 'fails'],
    [{}, lists([destructive, mild], call('drop', { notMade: 'denied' })), 'fails'],
    [{}, saw(call('read')), 'error'],
    [{}, lists([listed('read')], call('read')), 'error'],
    [{}, lists([destructive, listed('plain')], call('plain')), 'holds'],
    // The owner of the tool is unknown, and only one of the candidates is destructive.
    [
      {},
      lists(
        [{ ...destructive, serverName: 'S' }, listed('drop', { serverName: 'T' })],
        call('drop'),
      ),
      'error',
    ],
    [
      {},
      lists(
        [{ ...destructive, serverName: 'S' }, listed('drop', { serverName: 'T' })],
        call('drop', { serverName: 'T' }),
      ),
      'holds',
    ],
  ],
  noDeprecatedToolCalled: [
    [observes, saw(), 'holds'],
    [observes, lists([old, fresh], call('new')), 'holds'],
    [observes, lists([old, fresh], call('old')), 'fails'],
    [observes, saw(call('new')), 'error'],
  ],
  argumentsMatchToolSchema: [
    [{}, lists([listed('a', { inputSchema: object })]), 'fails'],
    [{}, lists([listed('a', { inputSchema: object })], call('a')), 'holds'],
    [{}, lists([listed('a', { inputSchema: { type: 'string' } })], call('a')), 'fails'],
    [{}, lists([listed('a', { inputSchema: { unknown: true } })], call('a')), 'error'],
    [{}, lists([listed('a')], call('a')), 'error'],
    [{}, lists([], call('a')), 'error'],
    [{}, saw(call('a')), 'error'],
    [{}, saw(call('a', { notMade: 'invalidArguments' })), 'fails'],
    [
      {},
      lists(
        [listed('a', { inputSchema: object })],
        call('a'),
        call('a', { notMade: 'invalidArguments' }),
      ),
      'fails',
    ],
    [{}, lists([listed('a', { inputSchema: object })], call('a', { notMade: 'denied' })), 'fails'],
    [
      { toolName: 'a' },
      lists([listed('a', { inputSchema: object })], call('a'), call('b')),
      'holds',
    ],
    // One call that violates its schema decides the outcome, even if the outcome of another call is
    // unknown.
    [{}, lists([listed('a', { inputSchema: { type: 'string' } })], call('b'), call('a')), 'fails'],
  ],
  noRepeatedIdenticalCall: [
    [{}, saw(), 'holds'],
    [
      {},
      saw(call('a', { arguments: { x: 1, y: 2 } }), call('a', { arguments: { y: 2, x: 1 } })),
      'fails',
    ],
    [{}, saw(call('a', { arguments: { x: 1 } }), call('a', { arguments: { x: 2 } })), 'holds'],
    [{}, saw(call('a'), call('b')), 'holds'],
    [{}, saw(call('a', { serverName: 'S' }), call('a', { serverName: 'T' })), 'holds'],
    [{ toolName: 'b' }, saw(call('a'), call('a')), 'holds'],
    [{}, saw(call('a'), call('a', { notMade: 'tooMany' })), 'fails'],
    [
      {},
      saw(call('a', { notMade: 'invalidArguments' }), call('a', { notMade: 'invalidArguments' })),
      'holds',
    ],
  ],
  toolInputMatches: [
    [
      { toolName: 'a', pattern: '^{"x":1,"y":2}$' },
      saw(call('a', { arguments: { y: 2, x: 1 } })),
      'holds',
    ],
    [{ toolName: 'a', pattern: 'z' }, saw(call('a', { arguments: { y: 2 } })), 'fails'],
    [{ toolName: 'a', pattern: 'z' }, saw(), 'fails'],
    [{ toolName: 'a', pattern: '{' }, saw(call('a', { notMade: 'denied' })), 'fails'],
    [{ toolName: 'a', pattern: '(' }, saw(call('a')), 'error'],
    [
      { toolName: 'a', pattern: 'z' },
      saw(call('a', { arguments: { y: 'y'.repeat(100_001) } })),
      'error',
    ],
    [
      { toolName: 'a', pattern: 'z' },
      saw(call('a', { arguments: { y: 'y'.repeat(100_001) } }), call('a', { arguments: { z: 1 } })),
      'holds',
    ],
  ],
  toolLatencyUnder: [
    [{ ms: 10 }, saw(), 'holds'],
    [{ ms: 10 }, saw(call('a', { latencyMs: 9.5 })), 'holds'],
    [{ ms: 10 }, saw(call('a', { latencyMs: 10 })), 'fails'],
    [{ ms: 10 }, saw(call('a')), 'error'],
    [{ ms: 10 }, saw(call('a'), call('b', { latencyMs: 11 })), 'fails'],
    [{ ms: 10, toolName: 'b' }, saw(call('a'), call('b', { latencyMs: 1 })), 'holds'],
    [{ ms: 10 }, saw(call('a', { notMade: 'denied' })), 'holds'],
    [{ ms: 10 }, saw(call('a', { latencyMs: Number.NaN })), 'error'],
    // The process was suspended for `stillMs`, so the answer may have waited that long before it
    // was read.
    [{ ms: 10 }, saw(call('a', { latencyMs: 30, stillMs: 21 })), 'error'],
    [{ ms: 10 }, saw(call('a', { latencyMs: 30, stillMs: 20 })), 'fails'],
    [{ ms: 10 }, saw(call('a', { latencyMs: 9, stillMs: 9 })), 'holds'],
  ],
  toolResultSizeUnder: [
    [{ maxBytes: 5 }, saw(), 'holds'],
    [{ maxBytes: 5 }, saw(answered('a', { sizeBytes: 4 })), 'holds'],
    [{ maxBytes: 5 }, saw(answered('a', { sizeBytes: 5 })), 'fails'],
    // The full size was measured before the text was cut.
    [{ maxBytes: 5 }, saw(answered('a', { sizeBytes: 5, isCut: true, text: 'x' })), 'fails'],
    [{ maxBytes: 5 }, saw(answered('a', { text: 'x' })), 'error'],
    [{ maxBytes: 5 }, saw(call('a')), 'error'],
    [{ maxBytes: 5 }, saw(call('a'), answered('a', { sizeBytes: 9 })), 'fails'],
  ],
  maximumResultTokens: [
    [{ tokens: 5 }, saw(), 'holds'],
    [{ tokens: 5 }, saw(answered('a', { text: '12345' })), 'holds'],
    [{ tokens: 5 }, saw(answered('a', { text: '123456' })), 'fails'],
    [{ tokens: 5 }, saw(answered('a', { structuredContent: [1, 2] })), 'holds'],
    [{ tokens: 5 }, saw(answered('a', { structuredContent: [1, 22] })), 'fails'],
    [{ tokens: 5, toolName: 'b' }, saw(answered('a', { text: '123456' })), 'holds'],
    // A cut text can prove that a limit is exceeded, but never that it is kept.
    [{ tokens: 5 }, saw(answered('a', { isCut: true, text: '123456' })), 'fails'],
    [{ tokens: 5 }, saw(answered('a', { isCut: true, text: '1' })), 'error'],
    [{ tokens: 5 }, saw(call('a')), 'error'],
    [{ tokens: 5 }, saw(call('a'), answered('a', { text: '123456' })), 'fails'],
    [{ tokens: 5 }, saw(call('a', { notMade: 'denied' })), 'holds'],
    [
      { tokens: 5 },
      saw(answered('a', { error: { kind: 'protocol-error', message: '123456' } })),
      'fails',
    ],
  ],
};
