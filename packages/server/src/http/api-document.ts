import { openApiDocument } from '@proofmark/contract/openapi';
import type { Handler } from 'hono';
import type { DoorEnvironment } from './door.ts';

/** Made once, on the first request. It holds nothing of this installation, so everybody may read it. */
export function apiDocumentAnswer(): Handler<DoorEnvironment> {
  let document: string | undefined;
  return (context) => {
    context.set('operationId', 'openapi');
    document ??= JSON.stringify(openApiDocument());
    return context.body(document, 200, { 'content-type': 'application/json' });
  };
}
