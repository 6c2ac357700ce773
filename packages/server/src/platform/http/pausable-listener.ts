/**
 * A listener that can be paused while the services behind it are replaced. It begins paused. While
 * paused, it answers requests with "try again", and the liveness probe still reports that the
 * process lives.
 */
import { answerJson, answerRefusal } from './answer.ts';
import type { HttpOptions } from './http-options.ts';
import type { Listener } from './listen.ts';
import { recordRequest } from './record-request.ts';
import { type Answer, RequestExchange } from './request-exchange.ts';
import { securityHeadersFor } from './security-headers.ts';
import { sendAnswer } from './send-answer.ts';
import { asTemporary, temporaryRefusal } from './temporary-failure.ts';

export interface PausableListener {
  readonly listener: Listener;
  /** Settles when all open requests have been answered, or after `graceMs` milliseconds. */
  pause(graceMs: number): Promise<void>;
  resume(next: Listener): void;
}

/**
 * Returns the answer to requests during a restore, and to earlier requests that did not finish in
 * time.
 */
export function restoringAnswer(): Answer {
  return comeAgain(
    'RESTORING',
    'The data of this installation is being restored; try again in a moment.',
  );
}

function comeAgain(reason: string, message: string): Answer {
  return asTemporary(answerRefusal(temporaryRefusal(reason, message)));
}

export function pausableListener(
  options: Pick<HttpOptions, 'log' | 'metrics' | 'publicUrl'>,
): PausableListener {
  const security = securityHeadersFor(options.publicUrl);
  let current: Listener | undefined;
  let hasStarted = false;
  let underWay = 0;
  let allAnswered: (() => void) | undefined;
  const answerMeanwhile: Listener = async (incoming, outgoing) => {
    const startedAt = performance.now();
    const exchange = new RequestExchange(incoming, outgoing);
    const isAlive = exchange.path === '/healthz';
    if (isAlive || exchange.path === '/readyz') exchange.operationId = 'probe';
    const later = hasStarted
      ? restoringAnswer()
      : comeAgain('STARTING', 'The service is starting; try again in a moment.');
    sendAnswer(exchange, isAlive ? answerJson(200, { status: 'alive' }) : later, security);
    recordRequest(exchange, options, performance.now() - startedAt);
  };
  return {
    async listener(incoming, outgoing) {
      if (current === undefined) return answerMeanwhile(incoming, outgoing);
      underWay += 1;
      try {
        await current(incoming, outgoing);
      } finally {
        underWay -= 1;
        if (underWay === 0) allAnswered?.();
      }
    },
    async pause(graceMs) {
      current = undefined;
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        allAnswered = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      allAnswered = undefined;
    },
    resume(next) {
      hasStarted = true;
      current = next;
    },
  };
}
