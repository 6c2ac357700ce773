/** Answers: JSON, and every refusal in the one shape of the error table. */
import { errorStatus } from '@proofmark/contract';
import { type Refusal, Refused } from '@proofmark/domain';
import { PreparedJson } from '../actions/answer-cache.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Log } from './http-options.ts';

export function answerJson(status: number, value: unknown): Answer {
  if (!(value instanceof PreparedJson)) return { status, body: JSON.stringify(value) };
  const { bytes: body, headers } = value;
  return headers === undefined ? { status, body } : { status, body, headers };
}

export function answerRefusal(
  refusal: Refusal,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const { status, body } = answerJson(errorStatus[refusal.code], refusalBody(refusal));
  return headers === undefined ? { status, body } : { status, body, headers };
}

/** What is no refusal is our own failure: its inside goes to the log, the request id to the caller. */
export function answerError(exchange: Exchange, error: unknown, log: Log): Answer {
  return error instanceof Refused
    ? answerRefusal(error.refusal, error.headers)
    : answerRefusal(refusalOf(exchange, error, log));
}

export function refusalOf(exchange: Exchange, error: unknown, log: Log): Refusal {
  if (error instanceof Refused) return error.refusal;
  const { requestId, operationId } = exchange;
  log.error({ requestId, operationId, err: error }, 'request failed');
  return {
    code: 'INTERNAL_ERROR',
    message: 'The service failed. The operator finds the cause in the log by the request id.',
    details: { requestId },
  };
}

export function refusalBody({ code, message, details, beside }: Refusal): object {
  return { code, message, ...(details && { details }), ...beside };
}
