import {
  type Exchange,
  event,
  everyStep,
  type HostileMode,
  openEventStream,
  streamForever,
  timeout,
  tooLarge,
} from './hostile-mode.ts';

export const silence = {
  hangBeforeHeaders: { steps: everyStep, misbehave: () => undefined, expected: timeout },
  hangAfterHeaders: {
    steps: everyStep,
    misbehave: ({ response }: Exchange) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
    },
    expected: timeout,
  },
  byteASecond: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'application/json' });
      every(exchange, 1000, () => ' ');
    },
    expected: timeout,
  },
  hangAfterSseHeaders: { steps: everyStep, misbehave: openEventStream, expected: timeout },
  endlessSse: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      openEventStream(exchange);
      every(exchange, 50, () => ': ping\n\n');
    },
    expected: timeout,
  },
  sseProgress: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      openEventStream(exchange);
      every(exchange, 20, () => progressOf(exchange));
    },
    expected: timeout,
  },
  sseProgressFlood: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      openEventStream(exchange);
      return streamForever(exchange, () => progressOf(exchange).repeat(200));
    },
    expected: [tooLarge, timeout],
  },
  sseNotificationFlood: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      openEventStream(exchange);
      const data = 'x'.repeat(1000);
      const params = { level: 'info', data };
      const notification = event({ jsonrpc: '2.0', method: 'notifications/message', params });
      return streamForever(exchange, () => notification.repeat(20));
    },
    expected: [tooLarge, timeout],
  },
  sseNoLineEnd: {
    steps: everyStep,
    misbehave: (exchange: Exchange) => {
      openEventStream(exchange);
      exchange.response.write('data: ');
      const letters = Buffer.alloc(65_536, 'a');
      return streamForever(exchange, () => letters);
    },
    expected: tooLarge,
  },
} satisfies Record<string, HostileMode>;

function progressOf({ message }: Exchange): string {
  const meta = message?.params?.['_meta'] as { progressToken?: unknown } | undefined;
  const params = { progressToken: meta?.progressToken ?? 0, progress: Date.now(), total: 1e15 };
  return event({ jsonrpc: '2.0', method: 'notifications/progress', params });
}

function every({ response, signal }: Exchange, periodMs: number, text: () => string): void {
  const timer = setInterval(() => response.write(text()), periodMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
