/** Answers: JSON, and every refusal in the one shape of the error table. */
import { errorStatus } from '@proofmark/contract';
import { type Refusal, Refused } from '@proofmark/domain';
import type { Context } from 'hono';
import { PreparedJson } from '../actions/readings.ts';
import type { DoorEnvironment, Log } from './door.ts';
import { jsonHeaders } from './security-headers.ts';

export function answerJson(
  context: Context<DoorEnvironment>,
  status: number,
  body: unknown,
): Response {
  const bytes = body instanceof PreparedJson ? body.bytes : JSON.stringify(body);
  return context.body(bytes, status as 200, { 'content-type': 'application/json' });
}

/**
 * The same for what an action made, with nothing else to add. The headers go in one plain object, which node
 * writes as it is; by way of the framework each would be checked and copied three times.
 */
export function answerAction(
  context: Context<DoorEnvironment>,
  status: number,
  body: unknown,
  security: Readonly<Record<string, string>>,
): Response {
  context.set('hasOwnHeaders', true);
  const bytes = body instanceof PreparedJson ? body.bytes : JSON.stringify(body);
  return new Response(bytes, { status, headers: jsonHeaders(security, context.get('requestId')) });
}

/** What is no refusal is our own failure: its inside goes to the log, the request id to the caller. */
export function answerRefusal(
  context: Context<DoorEnvironment>,
  problem: Refusal | Error,
  log?: Log,
): Response {
  if (problem instanceof Refused) {
    for (const [name, value] of Object.entries(problem.headers)) context.header(name, value);
    return answerRefusal(context, problem.refusal);
  }
  if (problem instanceof Error) {
    const requestId = context.get('requestId');
    log?.error(
      { requestId, operationId: context.get('operationId'), err: problem },
      'request failed',
    );
    return answerRefusal(context, {
      code: 'INTERNAL_ERROR',
      message: 'The service failed. The operator finds the cause in the log by the request id.',
      details: { requestId },
    });
  }
  const { code, message, details, beside } = problem;
  const body = { code, message, ...(details && { details }), ...beside };
  return answerJson(context, errorStatus[code], body);
}
