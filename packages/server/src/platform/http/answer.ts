import { errorStatus } from '@proofmark/contract';
import { FailedWithDetails, type Refusal, Refused } from '@proofmark/domain';
import { PreparedJson } from '../operations/answer-cache.ts';
import { PngAnswer } from '../operations/png-answer.ts';
import type { Log } from './http-options.ts';
import type { Answer, RequestExchange } from './request-exchange.ts';
import { asTemporary, temporaryFailure } from './temporary-failure.ts';

export function answerJson(status: number, value: unknown): Answer {
  if (value instanceof PngAnswer) {
    return { status, body: value.png, type: 'image/png', headers: value.headers };
  }
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

/**
 * Builds the answer to an error. An error that is not `Refused` is our own failure: its details go
 * to the log, and the caller gets only the request id.
 */
export function answerError(exchange: RequestExchange, error: unknown, log: Log): Answer {
  if (error instanceof Refused) return answerRefusal(error.refusal, error.headers);
  const answer = answerRefusal(refusalOf(exchange, error, log));
  return temporaryFailure(error) === undefined ? answer : asTemporary(answer);
}

export function refusalOf(exchange: RequestExchange, error: unknown, log: Log): Refusal {
  if (error instanceof Refused) return error.refusal;
  const passing = temporaryFailure(error);
  // A full disk is logged once, where it is noticed, and not for every request.
  if (passing?.details?.['reason'] === 'DISK_FULL') return passing;
  const { requestId, operationId } = exchange;
  log.error({ requestId, operationId, err: error }, 'request failed');
  if (passing !== undefined) return { ...passing, details: { ...passing.details, requestId } };
  return {
    code: 'INTERNAL_ERROR',
    message: 'The service failed. The operator finds the cause in the log by the request id.',
    details: { requestId, ...(error instanceof FailedWithDetails && error.details) },
  };
}

export function refusalBody({ code, message, details, beside }: Refusal): object {
  return { code, message, ...(details && { details }), ...beside };
}
