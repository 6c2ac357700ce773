/** Answers: JSON, a picture, and every refusal in the one shape of the error table. */
import { errorStatus } from '@proofmark/contract';
import { FailedWithDetails, type Refusal, Refused } from '@proofmark/domain';
import { PreparedJson } from '../actions/answer-cache.ts';
import { PngAnswer } from '../actions/png-answer.ts';
import { isDiskFull } from '../storage/database/disk-full.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Log } from './http-options.ts';

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

/** What is no refusal is our own failure: its inside goes to the log, the request id to the caller. */
export function answerError(exchange: Exchange, error: unknown, log: Log): Answer {
  if (error instanceof Refused) return answerRefusal(error.refusal, error.headers);
  const answer = answerRefusal(refusalOf(exchange, error, log));
  return isDiskFull(error) ? { ...answer, status: 503 } : answer;
}

/** When there will be room again nobody knows, so no time is told. */
const diskFull: Refusal = {
  code: 'INTERNAL_ERROR',
  message:
    'The disk of the database is full, so nothing is written; reading goes on. Try again when whoever operates this installation has made room.',
  details: { reason: 'DISK_FULL' },
};

export function refusalOf(exchange: Exchange, error: unknown, log: Log): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (isDiskFull(error)) return diskFull;
  const { requestId, operationId } = exchange;
  log.error({ requestId, operationId, err: error }, 'request failed');
  return {
    code: 'INTERNAL_ERROR',
    message: 'The service failed. The operator finds the cause in the log by the request id.',
    details: { requestId, ...(error instanceof FailedWithDetails && error.details) },
  };
}

export function refusalBody({ code, message, details, beside }: Refusal): object {
  return { code, message, ...(details && { details }), ...beside };
}
