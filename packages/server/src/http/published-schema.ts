import { publishedSchema } from '@proofmark/contract';
import type { Handler } from 'hono';
import type { DoorEnvironment } from './door.ts';

/** Like the API document: made on the first request, the same for everybody, and open to everybody. */
export function publishedSchemaAnswer(): Handler<DoorEnvironment> {
  const made = new Map<string, string>();
  return (context) => {
    context.set('operationId', 'schemas');
    const name = context.req.param('name') ?? '';
    const text = made.get(name) ?? textOf(name);
    if (text === undefined) return context.notFound();
    made.set(name, text);
    return context.body(text, 200, { 'content-type': 'application/schema+json' });
  };
}

function textOf(name: string): string | undefined {
  const schema = publishedSchema(name);
  return schema && JSON.stringify(schema);
}
