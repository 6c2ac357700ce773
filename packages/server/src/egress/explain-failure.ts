import { errors } from 'undici';
import { EgressRefused } from './egress-refused.ts';

/**
 * Turns what sockets, TLS, the HTTP parser and the decoders throw into our one error. Only the code of
 * the failure is kept: the messages hold addresses, and may hold bytes of the answer.
 */
export function explainFailure(error: unknown): EgressRefused {
  if (error instanceof EgressRefused) return error;
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || invalidAnswer.test(code)) {
    return new EgressRefused('INVALID_RESPONSE');
  }
  const known = /^[A-Z][A-Z0-9_]*$/.test(code) ? ` (${code})` : '';
  return new EgressRefused(
    'UNREACHABLE',
    `The server could not be reached${known}; check its address and that it is running.`,
  );
}

const invalidAnswer = /^(Z_|ERR__ERROR_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/;

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // A name with several addresses fails with one error per address; they fail alike.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
