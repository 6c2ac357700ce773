/** Validates responses against the API document, as a client generated from the document would. */
import type { Operation } from '@proofmark/contract';
import { openApiDocument } from '@proofmark/contract/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';

export function documentedProblems(row: Operation, body: unknown): string[] {
  if (row.answersPng) return [];
  const { path, method, status } = row;
  const segments = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content'];
  const pointer = [...segments, 'application/json', 'schema'].map(pointerStep).join('/');
  const validate = reader().compile({ $ref: `openapi.json#/${pointer}` });
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

let made: Ajv2020 | undefined;

function reader(): Ajv2020 {
  made ??= new Ajv2020({
    // OpenAPI adds keywords to JSON Schema, such as `discriminator`. Ajv rejects them in strict
    // mode.
    strict: false,
    validateFormats: false,
    // Each validator is used once, so optimizing it or inlining references would cost more than it
    // saves.
    code: { optimize: false },
    inlineRefs: false,
  }).addSchema(openApiDocument(), 'openapi.json');
  return made;
}

function pointerStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
