import { openApiDocument } from '@proofmark/contract/openapi';
import type { Handler } from './request-exchange.ts';

/**
 * Creates the document once, on the first request. It holds nothing of this installation, so
 * everybody may read it.
 */
export function apiDocumentAnswer(): Handler {
  let document: string | undefined;
  return (exchange) => {
    exchange.operationId = 'openapi';
    document ??= JSON.stringify(openApiDocument());
    return { status: 200, body: document };
  };
}
