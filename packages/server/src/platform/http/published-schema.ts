import { publishedSchema } from '@proofmark/contract';
import { answerRefusal } from './answer.ts';
import { noOperation } from './no-operation.ts';
import type { Handler } from './request-exchange.ts';

/** Like the API document: created on the first request, equal for everybody, and public. */
export function publishedSchemaAnswer(): Handler {
  const made = new Map<string, string>();
  return (exchange) => {
    exchange.operationId = 'schemas';
    const name = exchange.parameters['name'] ?? '';
    const text = made.get(name) ?? textOf(name);
    if (text === undefined) return answerRefusal(noOperation);
    made.set(name, text);
    return { status: 200, body: text, type: 'application/schema+json' };
  };
}

function textOf(name: string): string | undefined {
  const schema = publishedSchema(name);
  return schema && JSON.stringify(schema);
}
